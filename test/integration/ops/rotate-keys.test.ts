import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isInForce } from "../../../lib/auth/credential.ts";
import { systemClock } from "../../../lib/clock.ts";
import { RateLimitStore } from "../../../lib/rate-limit/rate-limit-store.ts";
import { CredentialRegister } from "../../../local/credentials/credential-register.ts";
import { auditOf } from "../../support/audit.ts";
import { certificateAuthority } from "../../support/certificates.ts";
import { keyring, publicJwk } from "../../support/keyring.ts";
import { failing } from "../../support/operator.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

const publicPem = () =>
  generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }).toString();

describe("a rotated key", () => {
  test("has a successor with its owner, scopes, label and lifetime, and works beside it for the overlap", async () => {
    await using keys = await keyring();
    const old = await keys.create("--label", "payments server", "--expires", "90d");
    const before = systemClock();
    const made = await keys.json("rotate", old.id, "--yes");
    const after = systemClock();
    expect(made.apiKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(made).toMatchObject({ owner: "acme", label: "payments server", scopes: [] });
    expect(made.apiKey).not.toBe(old.apiKey);
    const span = Date.parse(made.expiresAt) - Date.parse(made.createdAt);
    expect(span).toBe(Date.parse(old.expiresAt) - Date.parse(old.createdAt));
    const [was, is] = [await keys.row(old.id), await keys.row(made.id)];
    expect([was.state, is.state]).toEqual(["in force", "in force"]);
    expect(was.successor).toBe(made.id);
    expect(was.expiresAt).toBe(made.replaced.expiresAt);
    expect(Date.parse(was.expiresAt)).toBeGreaterThanOrEqual(before + WEEK_MS);
    expect(Date.parse(was.expiresAt)).toBeLessThanOrEqual(after + WEEK_MS);
    expect(await auditOf(keys.data)).toContainEqual({
      command: "keys rotate",
      target: `key ${old.id.slice(0, 21)} by ${made.id.slice(0, 21)}`,
    });
  });

  test("ends no later than it did before, and never without another key in force", async () => {
    await using keys = await keyring();
    const old = await keys.create("--expires", "12h");
    const made = await keys.json("rotate", old.id, "--overlap", "30d", "--yes");
    expect(made.replaced.expiresAt).toBe(old.expiresAt);
    expect((await keys.row(old.id)).expiresAt).toBe(old.expiresAt);
    const endless = await keys.create();
    const short = await keys.run("rotate", endless.id, "--overlap", "2d", "--expires", "1d", "--yes");
    expect(short).toMatchObject(failing("Give a later --expires"));
    expect(await keys.rows()).toHaveLength(3);
  });

  test("is rotated once: then its successor is, or, if that was lost and revoked, it itself once more", async () => {
    await using keys = await keyring();
    const old = await keys.create("--expires", "90d");
    const lost = await keys.json("rotate", old.id, "--yes");
    const end = (await keys.row(old.id)).expiresAt;
    expect(await keys.run("rotate", old.id, "--yes")).toMatchObject(
      failing(`${lost.id.slice(0, 21)} replaces it`),
    );
    await keys.run("revoke", lost.id, "--yes");
    const again = await keys.json("rotate", old.id, "--overlap", "60d", "--yes");
    expect(again.replaced.expiresAt).toBe(end);
    expect(Date.parse(again.expiresAt) - Date.parse(again.createdAt)).toBeGreaterThan(89 * DAY_MS);
    expect((await keys.row(old.id)).successor).toBe(again.id);
  });

  test.each([
    ["revoked", { revokedAt: 1 }, /was revoked on 1970-.*`keys create ramp --partner acme`/],
    ["expired", { expiresAt: 1 }, /expired on 1970-.*`keys create ramp --partner acme`/],
  ])("cannot be one that was %s before, and the refusal says what to do", async (_, changes, message) => {
    await using keys = await keyring();
    const id = `ramp-key#${"0".repeat(64)}`;
    const old = { id, kind: "ramp-key", owner: "acme", scopes: [], createdAt: 0, ...changes } as const;
    await keys.on((table) => new CredentialRegister(table).add(old));
    const run = await keys.run("rotate", id, "--yes");
    expect(run).toMatchObject(failing(message));
    expect(await keys.rows()).toHaveLength(1);
  });

  test("is not shown by a dry run, nor is its id, which would be another one", async () => {
    await using keys = await keyring();
    const made = await keys.create("--label", "x", "--dry-run");
    expect(made).toMatchObject({ owner: "acme", label: "x", expiresAt: null });
    const old = await keys.create();
    const dry = await keys.json("rotate", old.id, "--dry-run");
    expect(dry).toMatchObject({ owner: "acme", expiresAt: null, replaced: { id: old.id } });
    for (const one of [made, dry]) expect([one.apiKey, one.id]).toEqual([undefined, undefined]);
  });

  test("of a trading client or of the wallet is replaced by what its owner gives", async () => {
    await using keys = await keyring();
    const pem = await keys.file("a.pem", publicPem());
    const trading = await keys.json("create", "exchange", "--public-key", pem, "--owner", "desk");
    expect(await keys.run("rotate", trading.id, "--yes")).toMatchObject(failing("Give --public-key FILE"));
    const other = await keys.file("b.pem", publicPem());
    const next = await keys.json("rotate", trading.id, "--public-key", other, "--yes");
    expect(next).toMatchObject({ owner: "desk", scopes: ["trades.read"] });
    expect(next.apiKey).toMatch(/^[A-Za-z0-9]{64}$/);

    const jwk = await keys.file("a.jwk", publicJwk("one"));
    await keys.run("create", "passes", "--jwk", jwk);
    expect(await keys.run("rotate", "jws#one", "--jwk", jwk, "--yes")).toMatchObject({ code: 2 });
    expect(await keys.run("rotate", "jws#one", "--public-key", pem, "--yes")).toMatchObject({ code: 2 });
    const renewed = await keys.file("b.jwk", publicJwk("two"));
    const wallet = await keys.json("rotate", "jws#one", "--jwk", renewed, "--yes");
    expect(wallet).toMatchObject({ id: "jws#two", owner: "wallet", scopes: ["passes.read"] });
    expect(wallet).not.toHaveProperty("apiKey");
  });

  test("of a certificate's name is not replaced by a certificate that its end would refuse", async () => {
    await using keys = await keyring();
    const authority = await certificateAuthority();
    const validity = { notAfter: systemClock() + 30 * DAY_MS };
    const certificate = async (name: string) =>
      keys.file(name, (await authority.issue({ ...validity, dns: [name], subject: `CN=${name}` })).pem);
    const [one, two] = [await certificate("a.example"), await certificate("b.example")];
    const { id } = await keys.json("create", "passes", "--certificate", one, "--by", "DNS:a.example");
    expect(await keys.run("rotate", id, "--certificate", one, "--yes")).toMatchObject(
      failing("would be refused when that ends"),
    );
    const next = await keys.json("rotate", id, "--certificate", two, "--yes");
    expect(next.id).toMatch(/^certificate#/);
    const { notAfter } = validity;
    expect(Math.abs(Date.parse(next.expiresAt) - notAfter)).toBeLessThan(1_000);
  });
});

describe("the last use of a key", () => {
  test("is listed by its day for each of two keys alive, and told before one is revoked", async () => {
    await using keys = await keyring();
    const old = await keys.create("--label", "old");
    const made = await keys.json("rotate", old.id, "--yes");
    for (const [id, time] of [
      [old.id, "2026-11-20T23:59:59.999Z"],
      [made.id, "2026-11-21T00:00:00.000Z"],
    ]) {
      const charge = { now: Date.parse(time), cost: 1, busy: new Set<string>(), credentials: [id] };
      const buckets = [{ name: "ramp", burst: 1, tokenMs: 1 }];
      await keys.on((table) => new RateLimitStore(table).charge("ramp#acme", buckets, charge), "RateLimits");
    }
    const days = [(await keys.row(old.id)).lastUsedOn, (await keys.row(made.id)).lastUsedOn];
    expect(days).toEqual(["2026-11-20", "2026-11-21"]);
    expect((await keys.run("list")).stdout).toMatch(/old +in force until \S+ replaced +\S+ +2026-11-20$/m);
    const asked = await keys.run("revoke", old.id);
    expect(asked.stderr).toContain('of acme ("old"), last used on 2026-11-20, for good?');
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    const dry = await keys.run("revoke", old.id, "--dry-run");
    expect(dry.stdout).toContain('of acme ("old"), last used on 2026-11-20, would be revoked');
    expect((await keys.row(old.id)).state).toBe("in force");
  });

  test("is unknown for a key that nothing has used yet", async () => {
    await using keys = await keyring();
    const { id } = await keys.create();
    expect((await keys.row(id)).lastUsedOn).toBeNull();
    expect((await keys.run("revoke", id, "--dry-run")).stdout).toContain(
      "no use of the last 400 days is known",
    );
  });
});

describe("keys of one owner", () => {
  test("are told apart by their labels, which can be changed and taken away", async () => {
    await using keys = await keyring();
    const { id } = await keys.create("--label", "  old name ");
    expect((await keys.row(id)).label).toBe("old name");
    expect(await keys.run("label", id.slice(0, 21), "new name", "--dry-run")).toMatchObject({ code: 0 });
    expect((await keys.row(id)).label).toBe("old name");
    expect((await keys.json("label", id.slice(0, 21), "new name")).label).toBe("new name");
    expect((await keys.run("label", id, "")).stdout).toContain("without a label");
    expect((await keys.row(id)).label).toBeNull();
    const lines = (await auditOf(keys.data)).filter(({ command }) => command === "keys label");
    expect(lines).toHaveLength(2);
  });

  test("cannot be labelled by a key, nor by what a terminal acts on", async () => {
    await using keys = await keyring();
    const { id, apiKey } = await keys.create();
    // One key in sixty-four begins with a hyphen, as an option does.
    const secret = apiKey.slice(1);
    for (const text of [`a${secret}`, `-${secret}`, `key ${apiKey}`, "a\u001b[2Jb", "a\nb", "x".repeat(81)]) {
      const run = await keys.run("label", id, text);
      expect(run).toMatchObject({ code: 2, stdout: "" });
      for (const never of ["[2J", secret]) expect(run.stderr).not.toContain(never);
    }
    expect((await keys.row(id)).label).toBeNull();
  });

  test("are listed by owner, kind and state", async () => {
    await using keys = await keyring();
    const [one, two] = [await keys.create(), await keys.create()];
    const { id: other } = await keys.json("create", "ramp", "--partner", "other");
    await keys.run("create", "passes", "--jwk", await keys.file("a.jwk", publicJwk("one")));
    await keys.run("revoke", two.id, "--yes", "--reason", "found in a log");
    const idsOf = async (...args: string[]) =>
      (await keys.json("list", ...args)).map(({ id }: { id: string }) => id);
    expect(await idsOf("--owner", "acme")).toEqual([one.id, two.id]);
    expect(await idsOf("--kind", "jws")).toEqual(["jws#one"]);
    expect(await idsOf("--in-force", "--kind", "ramp-key")).toEqual([one.id, other]);
    expect(await keys.row(two.id)).toMatchObject({ state: "revoked", revokedReason: "found in a log" });
    expect((await keys.run("list", "--owner", "nobody")).stdout).toBe("There are no such keys.\n");
  });
});

test("whatever instant it is, one of the keys of a rotation is in force", async () => {
  await using keys = await keyring();
  const old = await keys.create("--expires", "90d");
  const made = await keys.json("rotate", old.id, "--overlap", "12h", "--yes");
  const rows = await keys.on((table) => Array.fromAsync(new CredentialRegister(table).list()));
  const credentials = rows.flatMap(({ credential }) => credential ?? []);
  const [from, to] = [Date.parse(made.createdAt), Date.parse(made.expiresAt)];
  const borders = credentials.flatMap(({ expiresAt }) => [expiresAt ?? 0, (expiresAt ?? 0) - 1]);
  for (const instant of [from, ...borders].filter((one) => one < to))
    expect(credentials.some((credential) => isInForce(credential, instant))).toBe(true);
});
