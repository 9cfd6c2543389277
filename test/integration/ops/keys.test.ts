import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { isInForce, rampKeyId } from "../../../lib/auth/credential.ts";
import { CredentialStore } from "../../../lib/auth/credential-store.ts";
import { systemClock } from "../../../lib/clock.ts";
import { keyring, publicJwk } from "../../support/keyring.ts";
import { failing, runOperator, temporaryDirectory } from "../../support/operator.ts";

const DAY_MS = 86_400_000;

/** The stored credential of a key. */
const find = (keys: Awaited<ReturnType<typeof keyring>>, apiKey: string) =>
  keys.on((table) => new CredentialStore(table, systemClock).get(rampKeyId(apiKey)));

describe("keys", () => {
  test("that are created open the interface for their partner, for as long as was said", async () => {
    await using keys = await keyring();
    const before = systemClock();
    const { apiKey, id, owner, expiresAt } = await keys.create("--expires", "90d");
    expect(apiKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(owner).toBe("acme");
    const credential = await find(keys, apiKey);
    expect(credential).toMatchObject({ id, kind: "ramp-key", owner: "acme" });
    expect(credential?.expiresAt).toBe(Date.parse(expiresAt));
    expect(credential?.expiresAt).toBeGreaterThanOrEqual(before + 90 * DAY_MS);
    expect(credential?.expiresAt).toBeLessThanOrEqual(systemClock() + 90 * DAY_MS);
  });

  test("never expire unless that was said, and no two are alike", async () => {
    await using keys = await keyring();
    const [one, other] = [await keys.create(), await keys.create()];
    expect(one.expiresAt).toBeNull();
    expect(await find(keys, one.apiKey)).not.toHaveProperty("expiresAt");
    expect(one.apiKey).not.toBe(other.apiKey);
  });

  test("are shown once: neither the store nor a list holds one", async () => {
    await using keys = await keyring();
    const created = await keys.run("create", "ramp", "--partner", "acme");
    const apiKey = /apiKey +(\S+)/.exec(created.stdout)?.[1] ?? "";
    expect(apiKey).toHaveLength(43);
    expect(created.stdout.split(apiKey)).toHaveLength(2);
    expect(created.stderr).not.toContain(apiKey);
    const [table, json] = [await keys.run("list"), await keys.run("list", "--json")];
    for (const text of [table.stdout, table.stderr, json.stdout, await keys.everythingStored()]) {
      expect(text).not.toContain(apiKey);
    }
    expect(table.stdout).toContain("acme");
  });

  test("are listed with owner, state and times, by programs too", async () => {
    await using keys = await keyring();
    expect((await keys.run("list")).stdout).toBe("There are no keys.\n");
    const { id } = await keys.create();
    const [listed] = JSON.parse((await keys.run("list", "--json")).stdout);
    expect(listed).toMatchObject({ id, kind: "ramp-key", owner: "acme", expiresAt: null, revokedAt: null });
    const table = (await keys.run("list")).stdout;
    const day = listed.createdAt.slice(0, 10);
    expect(table).toMatch(new RegExp(`^${id.slice(0, 21)}  acme +- +in force +${day} +-$`, "m"));
    expect(table).not.toContain(id);
  });

  test("that are revoked, by the beginning of their id, are in force no more; the others stay", async () => {
    await using keys = await keyring();
    const [revoked, kept] = [await keys.create(), await keys.create("--partner", "other")];
    const run = await keys.run("revoke", revoked.id.slice(0, "ramp-key#".length + 16), "--yes");
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("of acme") });
    const [one, other] = [await find(keys, revoked.apiKey), await find(keys, kept.apiKey)];
    expect(one && isInForce(one, systemClock())).toBe(false);
    expect(other && isInForce(other, systemClock())).toBe(true);
    const again = await keys.run("revoke", revoked.id);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("was revoked before") });
    expect((await keys.run("list")).stdout).toMatch(/acme +- +revoked/);
  });

  test("that have names are revoked by them whole: the beginning of one may be another", async () => {
    await using keys = await keyring();
    const addJwk = async (kid: string) => {
      const file = await keys.file("public.jwk.json", publicJwk(kid));
      expect(await keys.run("create", "passes", "--jwk", file)).toMatchObject({ code: 0 });
    };
    await addJwk("wallet-2026-backup");
    const wrong = await keys.run("revoke", "jws#wallet-2026");
    expect(wrong).toMatchObject(failing("There is no key"));
    expect((await keys.run("list")).stdout).toContain("in force");
    await addJwk("wallet-2026");
    expect(await keys.run("revoke", "jws#wallet-2026", "--yes")).toMatchObject({ code: 0 });
    const states = (await keys.run("list")).stdout.split("\n").filter((line) => line.startsWith("jws#"));
    const found = new Set(states.map((line) => /in force|revoked/.exec(line)?.[0]));
    expect(found).toEqual(new Set(["in force", "revoked"]));
  });

  test("are listed and revoked beside a row that cannot be read", async () => {
    await using keys = await keyring();
    const { id } = await keys.create();
    const Item = { id: { S: "note#1" } };
    await keys.on(({ client, name }) => client.send(new PutItemCommand({ TableName: name, Item })));
    const table = await keys.run("list");
    expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/^note#1 +- +- +cannot be read/m) });
    expect(JSON.parse((await keys.run("list", "--json")).stdout)).toHaveLength(2);
    for (const given of [id.slice(0, 21), id, "note#1"])
      expect(await keys.run("revoke", given, "--yes")).toMatchObject({ code: 0 });
    expect((await keys.run("list")).stdout).toMatch(/acme +- +revoked/);
  });

  test.each([
    [["--partner", ""], /--partner/],
    [[], /--partner <id>/],
    [["--partner", "acme", "--expires", "yesterday"], /Give a span such as 90d/],
    [["--partner", "acme", "--expires", "2020-01-01"], /must lie in the future/],
  ])("are not created with %j", async (args, line) => {
    await using directory = await temporaryDirectory();
    const data = ["--data", directory.path];
    const run = await runOperator(["keys", "create", "ramp", ...args, ...data]);
    expect(run).toMatchObject(failing(line));
    expect((await runOperator(["keys", "list", ...data])).stderr).toMatch(/^There is no store/);
  });
});
