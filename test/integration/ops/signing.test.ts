import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exchangeKeyId } from "../../../lib/auth/credential.ts";
import { CredentialStore } from "../../../lib/auth/credential-store.ts";
import { systemClock } from "../../../lib/clock.ts";
import { isSignatureOf, readPublicKey } from "../../../lib/signature/ed25519.ts";
import { withStore } from "../../../ops/store.ts";
import { runOperator, temporaryDirectory } from "../../support/operator.ts";

const URL_SIGNED = "https://api.example/1.0/trades/all/BTC-USD?limit=10&cursor=a%2Cb";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");

/** A store of its own, and the files of a trading client. */
async function trading() {
  const directory = await temporaryDirectory();
  const data = join(directory.path, "data");
  const file = (name: string) => join(directory.path, name);
  await writeFile(file("public.pem"), publicKey.export({ format: "pem", type: "spki" }));
  await writeFile(file("private.pem"), privateKey.export({ format: "pem", type: "pkcs8" }));
  const run = (...args: string[]) => runOperator([...args, "--data", data]);
  return {
    run,
    file,
    create: (...args: string[]) =>
      run("keys", "create", "exchange", "--public-key", file("public.pem"), "--json", ...args),
    find: (apiKey: string) =>
      withStore({ data }, ({ client, tableName }) =>
        new CredentialStore(client, tableName("Credentials"), systemClock).find(exchangeKeyId(apiKey)),
      ),
    [Symbol.asyncDispose]: directory[Symbol.asyncDispose],
  };
}

const headerArgs = (lines: string, change: (line: string) => string = (line) => line): string[] =>
  lines
    .trimEnd()
    .split("\n")
    .flatMap((line) => ["-H", change(line)]);

describe("keys create exchange", () => {
  test("registers the public key under an API key that is shown once", async () => {
    await using client = await trading();
    const { stdout, code } = await client.create(
      "--owner",
      "acme",
      "--scopes",
      "trades.read,orders.read",
      "--expires",
      "1d",
    );
    expect(code).toBe(0);
    const { apiKey, id, owner, scopes } = JSON.parse(stdout);
    expect(apiKey).toMatch(/^[A-Za-z0-9]{64}$/);
    expect({ owner, scopes }).toEqual({ owner: "acme", scopes: ["trades.read", "orders.read"] });
    expect(await client.find(apiKey)).toMatchObject({
      id,
      kind: "exchange-key",
      owner: "acme",
      publicKey: raw.toString("hex"),
    });
    expect((await client.run("keys", "list", "--json")).stdout).not.toContain(apiKey);
    expect((await client.run("keys", "revoke", id)).code).toBe(0);
    expect(await client.find(apiKey)).toHaveProperty("revokedAt");
  });

  test("gives keys of one public key one owner, reading trades, unless that was said otherwise", async () => {
    await using client = await trading();
    const [one, other] = [
      JSON.parse((await client.create()).stdout),
      JSON.parse((await client.create()).stdout),
    ];
    expect(one.owner).toBe(other.owner);
    expect(one.apiKey).not.toBe(other.apiKey);
    expect(one.scopes).toEqual(["trades.read"]);
    expect(JSON.parse((await client.create("--scopes", "")).stdout).scopes).toEqual([]);
  });

  test("refuses a private key, an unset one and a file that is not there, and registers none", async () => {
    await using client = await trading();
    await writeFile(client.file("zeros.hex"), "0".repeat(64));
    for (const [name, reason] of [
      ["private.pem", /private key/],
      ["zeros.hex", /small order/],
      ["none.pem", /ENOENT/],
    ] as const) {
      const { code, stderr, stdout } = await client.run(
        "keys",
        "create",
        "exchange",
        "--public-key",
        client.file(name),
      );
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(reason);
      expect(stderr).toContain(name);
    }
    expect((await client.run("keys", "list")).stdout).toBe("There are no keys.\n");
  });
});

describe("sign", () => {
  test("prints three headers of which the signature verifies, and with --curl a command line", async () => {
    await using client = await trading();
    const apiKey = "k".repeat(64);
    const keys = ["--api-key", apiKey, "--private-key", client.file("private.pem")];
    const { stdout } = await client.run("sign", "get", URL_SIGNED, ...keys);
    const [key, timestamp, signature] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(line.indexOf(": ") + 2));
    expect(key).toBe(apiKey);
    const verifier = readPublicKey(raw);
    const text = `${timestamp}GET/1.0/trades/all/BTC-USDlimit=10&cursor=a%2Cb`;
    expect(verifier && isSignatureOf(text, Buffer.from(signature ?? "", "base64"), verifier)).toBe(true);
    expect((await client.run("sign", "GET", URL_SIGNED, ...keys, "--curl")).stdout).toMatch(
      /^curl .*-H 'X-Svc-Signature: .*'\n$/,
    );
  });

  test("without its keys says what to give", async () => {
    await using client = await trading();
    const { code, stderr } = await client.run("sign", "GET", URL_SIGNED);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--api-key and --private-key/);
  });
});

describe("sign --explain", () => {
  test("finds nothing wrong with what was signed rightly, and names what was not, by the key in the store", async () => {
    await using client = await trading();
    const { apiKey } = JSON.parse((await client.create()).stdout);
    const keys = ["--api-key", apiKey, "--private-key", client.file("private.pem")];
    const signed = await client.run("sign", "GET", URL_SIGNED, ...keys);
    const right = await client.run("sign", "GET", URL_SIGNED, "--explain", ...headerArgs(signed.stdout));
    expect([right.code, right.stdout]).toEqual([
      0,
      "Nothing is wrong with its signature, its time or its key.\n",
    ]);
    const reordered = URL_SIGNED.replace("limit=10&cursor=a%2Cb", "cursor=a,b&limit=10");
    const wrong = await client.run("sign", "GET", reordered, "--explain", ...headerArgs(signed.stdout));
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(
      /The text to sign is: \d{13}GET\/1.0\/trades\/all\/BTC-USDcursor=a,b&limit=10/,
    );
  });

  test("says that a key is unknown, revoked or of another pair", async () => {
    await using client = await trading();
    const { apiKey, id } = JSON.parse((await client.create("--scopes", "")).stdout);
    const keys = ["--api-key", apiKey, "--private-key", client.file("private.pem")];
    const { stdout } = await client.run("sign", "GET", URL_SIGNED, ...keys);
    await client.run("keys", "revoke", id);
    const revoked = await client.run("sign", "GET", URL_SIGNED, "--explain", ...headerArgs(stdout));
    expect(revoked.stdout).toMatch(/^- The API key is revoked\.\n- The API key lacks the scope trades\.read/);
    const unknown = headerArgs(stdout, (line) => line.replace(apiKey, "u".repeat(64)));
    expect((await client.run("sign", "GET", URL_SIGNED, "--explain", ...unknown)).stdout).toMatch(
      /not registered/,
    );
    const other = generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" });
    await writeFile(client.file("other.pem"), other);
    const given = ["--public-key", client.file("other.pem"), "--private-key", client.file("private.pem")];
    const mistaken = await client.run(
      "sign",
      "GET",
      URL_SIGNED,
      "--explain",
      ...headerArgs(stdout),
      ...given,
    );
    expect(mistaken.stdout).toBe(
      "- It was signed with the private key that was given, not with the registered key.\n",
    );
  });
});
