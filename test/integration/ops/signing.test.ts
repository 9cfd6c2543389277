import { generateKeyPairSync } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exchangeKeyId } from "../../../lib/auth/credential.ts";
import { CredentialStore } from "../../../lib/auth/credential-store.ts";
import { exchangeCredentialOf, newExchangeApiKey } from "../../../lib/auth/exchange-key.ts";
import { contractBrand } from "../../../lib/brand.ts";
import { systemClock } from "../../../lib/clock.ts";
import { isSignatureOf, readPublicKey } from "../../../lib/signature/ed25519.ts";
import { CredentialRegister } from "../../../local/credentials/credential-register.ts";
import { writeStartNote } from "../../../local/store/start-note.ts";
import { failing, runOperator } from "../../support/operator.ts";
import { withStore } from "../../support/with-store.ts";
import { emptyWorkplace, workplace } from "../../support/workplace.ts";

const URL_SIGNED = "https://api.example/1.0/trades/all/BTC-USD?limit=10&cursor=a%2Cb";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");

const API_KEY = "k".repeat(64);
const PATH = "/1.0/trades/all/BTC-USD";

/** The files of a trading client, beside a store of its own or without one. */
async function trading(hasStore = true) {
  const here = await (hasStore ? workplace() : emptyWorkplace());
  const { data, file, run } = here;
  await here.write("public.pem", publicKey.export({ format: "pem", type: "spki" }));
  await here.write("private.pem", privateKey.export({ format: "pem", type: "pkcs8" }));
  const create = (...args: string[]) =>
    run("keys", "create", "exchange", "--public-key", file("public.pem"), "--json", ...args);
  const keys = (apiKey = API_KEY) => ["--api-key", apiKey, "--private-key", file("private.pem")];
  const sign = (url: string, ...args: string[]) => run("sign", "GET", url, ...args);
  return {
    ...here,
    create,
    keys,
    sign,
    /** Registers a key, and signs with it. @returns how to have the request explained. */
    signed: async (
      register: () => Promise<{ apiKey: string }> = async () => JSON.parse((await create()).stdout),
    ) => {
      const { apiKey } = await register();
      const { stdout } = await sign(URL_SIGNED, ...keys(apiKey));
      const explain = (url: string, more: readonly string[] = [], change = (line: string) => line) => {
        const headers = stdout
          .trimEnd()
          .split("\n")
          .flatMap((line) => ["-H", change(line)]);
        return sign(url, "--explain", ...headers, ...more);
      };
      return { apiKey, stdout, explain };
    },
    /** As a key of another interface, or of an earlier version, may be. */
    createWithoutScope: async () => {
      const apiKey = newExchangeApiKey();
      const key = { apiKey, publicKey: raw.toString("hex"), owner: "acme", scopes: [], now: systemClock() };
      const credential = exchangeCredentialOf(key);
      await withStore({ data }, ({ table }) => new CredentialRegister(table("Credentials")).add(credential));
      return { apiKey, id: credential.id };
    },
    find: (apiKey: string) =>
      withStore({ data }, ({ table }) =>
        new CredentialStore(table("Credentials"), systemClock).get(exchangeKeyId(apiKey)),
      ),
  };
}

/** Expects that a command did nothing, and said why in one line. */
const expectRefusal = async (running: ReturnType<typeof runOperator>, reason: RegExp): Promise<void> => {
  expect(await running).toMatchObject(failing(reason));
  expect((await running).stderr.trimEnd().split("\n")).toHaveLength(1);
};

describe("keys create exchange", () => {
  test("registers the public key under an API key that is shown once", async () => {
    await using client = await trading();
    const options = ["--owner", "acme", "--scopes", "trades.read", "--expires", "1d"];
    const { stdout, code } = await client.create(...options);
    expect(code).toBe(0);
    const { apiKey, id, owner, scopes } = JSON.parse(stdout);
    expect(apiKey).toMatch(/^[A-Za-z0-9]{64}$/);
    expect({ owner, scopes }).toEqual({ owner: "acme", scopes: ["trades.read"] });
    expect(await client.find(apiKey)).toMatchObject({
      id,
      kind: "exchange-key",
      owner: "acme",
      publicKey: raw.toString("hex"),
    });
    expect((await client.run("keys", "list", "--json")).stdout).not.toContain(apiKey);
    expect((await client.run("keys", "revoke", id, "--yes")).code).toBe(0);
    expect(await client.find(apiKey)).toHaveProperty("revokedAt");
  });

  test("gives keys of one public key one owner, reading trades, unless that was said otherwise", async () => {
    await using client = await trading();
    const created = async () => JSON.parse((await client.create()).stdout);
    const [one, other] = [await created(), await created()];
    expect(one.owner).toBe(other.owner);
    expect(one.apiKey).not.toBe(other.apiKey);
    expect(one.scopes).toEqual(["trades.read"]);
  });

  test("refuses a private key, an unset one and a file that is not there, and registers none", async () => {
    await using client = await trading(false);
    await writeFile(client.file("zeros.hex"), "0".repeat(64));
    for (const [name, reason] of [
      ["private.pem", /private key/],
      ["zeros.hex", /small order/],
      ["none.pem", /there is no such file/],
    ] as const) {
      const { code, stderr, stdout } = await client.create("--public-key", client.file(name));
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(reason);
      expect(stderr).toContain(name);
    }
    expect((await client.run("keys", "list")).stderr).toMatch(/^There is no store/);
  });
});

describe("keys create exchange --scopes", () => {
  test.each(["", " ", "foo", "trades.read,foo", "Trades.read", "transactions.read"])(
    "refuses %j, names what there is, and registers nothing",
    async (scopes) => {
      await using client = await trading(false);
      const { code, stdout, stderr } = await client.create("--scopes", scopes);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/--scopes.*trades\.read\.$/m)]);
      expect((await client.run("keys", "list")).stderr).toMatch(/^There is no store/);
    },
  );

  test("shows its default as it is typed", async () => {
    expect((await runOperator(["keys", "create", "exchange", "--help"])).stdout).toContain(
      "(default: trades.read)",
    );
  });
});

describe("sign", () => {
  test.each([
    ["notaurl", /must begin with http/],
    ["", /must begin with http/],
    ["http://", /must begin with http/],
    ["https:///path", /must begin with http/],
    ["https://[::1/path", /must begin with http/],
    [PATH, /must begin with http/],
    [`ftp://host${PATH}`, /must begin with http/],
    [`https://host${PATH}?limit=1 0`, /has a space in it/],
    [`https://host${PATH}?limit=1\n`, /not visible ASCII/],
    [`https://host/caf\u00e9`, /not visible ASCII/],
  ])("%j is not a URL, which a line says, and 2", async (url, reason) => {
    await using client = await trading();
    await expectRefusal(client.sign(url, ...client.keys()), reason);
    await expectRefusal(client.sign(url, "--explain", "-H", "a: b"), reason);
  });

  test.each([
    [`https://host${PATH}?1=a`, /a query that does not begin with a letter a-z/],
    [`https://host${PATH}?Limit=1`, /a query that does not begin with a letter a-z/],
    [`https://host${PATH}??a=1`, /a query that does not begin with a letter a-z/],
    [`https://host${PATH}%3Flimit=1`, /a question mark or hash in the path/],
    [`https://host${PATH}%23a`, /a question mark or hash in the path/],
  ])("%s is signed by no one, since the server refuses it", async (url, reason) => {
    await using client = await trading();
    await expectRefusal(client.sign(url, ...client.keys()), reason);
  });

  test("leaves what a symbol must be to the server", async () => {
    await using client = await trading();
    expect(await client.sign(`https://host${PATH.toLowerCase()}`, ...client.keys())).toMatchObject({
      code: 0,
    });
  });

  test("names its headers as it is told, else the environment, else the last start on the directory, else the contract", async () => {
    await using client = await trading(false);
    const names = async (options: readonly string[], env: Record<string, string> = {}) => {
      const args = ["sign", "GET", `https://host${PATH}`, ...client.keys(), ...options];
      return (await runOperator([...args, "--data", client.data], { env })).stdout.split("API-Key")[0];
    };
    expect(await names([])).toBe(contractBrand.headerPrefix);
    await mkdir(client.data);
    await writeStartNote(client.data, { brand: { ...contractBrand, headerPrefix: "X-Noted-" } });
    expect(await names([])).toBe("X-Noted-");
    const env = { HEADER_PREFIX: "X-Set-" };
    expect(await names([], env)).toBe("X-Set-");
    expect(await names(["--header-prefix", "X-Given-"], env)).toBe("X-Given-");
    await writeFile(join(client.data, "start.json"), "{");
    const broken = client.sign(`https://host${PATH}`, ...client.keys());
    await expectRefusal(broken, /start\.json is not .* Delete the file/);
  });

  test("prints three headers of which the signature verifies, and with --curl a command line", async () => {
    await using client = await trading();
    const { stdout } = await client.run("sign", "get", URL_SIGNED, ...client.keys());
    const [key, timestamp, signature] = Array.from(stdout.matchAll(/^[^:]+: (.*)$/gm), ([, value]) => value);
    expect(key).toBe(API_KEY);
    const verifier = readPublicKey(raw);
    const text = `${timestamp}GET/1.0/trades/all/BTC-USDlimit=10&cursor=a%2Cb`;
    expect(verifier && isSignatureOf(text, Buffer.from(signature ?? "", "base64"), verifier)).toBe(true);
    const { stdout: line } = await client.sign(URL_SIGNED, ...client.keys(), "--curl");
    expect(line).toMatch(/^curl .*-H 'X-Svc-Signature: .*'\n$/);
  });

  test("signs for the instant that it is given, and refuses one that is not in milliseconds", async () => {
    await using client = await trading();
    const at = (ms: string) => client.sign(URL_SIGNED, ...client.keys(), "--signed-at", ms);
    expect((await at("1795554000000")).stdout).toMatch(/^X-Svc-Timestamp: 1795554000000$/m);
    expect(await at("1795554000")).toMatchObject(failing("13 digits"));
  });

  test("without its keys says what to give", async () => {
    await using client = await trading();
    await expectRefusal(client.sign(URL_SIGNED), /--api-key.* and --private-key/);
  });
});

describe("sign --explain", () => {
  test("finds nothing wrong with what was signed rightly, and names what was not, by the key in the store", async () => {
    await using client = await trading();
    const { explain } = await client.signed();
    const nothing = "Nothing is wrong with the request's signature, time or key.\n";
    expect(await explain(URL_SIGNED)).toMatchObject({ code: 0, stdout: nothing });
    const wrong = await explain(URL_SIGNED.replace("limit=10&cursor=a%2Cb", "cursor=a,b&limit=10"));
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(
      /The text to sign is: \d{13}GET\/1.0\/trades\/all\/BTC-USDcursor=a,b&limit=10/,
    );
  });

  test("says that it judged against now, unless it was told when the server did", async () => {
    await using client = await trading();
    const { stdout, explain } = await client.signed();
    const now = /^Judged as if the request had just arrived\..*--judged-at/;
    expect((await explain(URL_SIGNED)).stderr).toMatch(now);
    const timestamp = /Timestamp: (\d+)/.exec(stdout)?.[1] ?? "";
    expect(await explain(URL_SIGNED, ["--judged-at", timestamp])).toMatchObject({ code: 0, stderr: "" });
  });

  test("knows a base path that it is given, and suggests one that the signed path lacks", async () => {
    await using client = await trading();
    const { explain } = await client.signed();
    const told = async (url: string, ...more: string[]) => (await explain(url, more)).stdout;
    expect(await told(URL_SIGNED, "--base-path", "/api")).toBe(
      "- The URL lacks this stage's base path /api.\n",
    );
    expect(await told(URL_SIGNED.replace("/1.0", "/v1/api/1.0"))).toBe(
      "- The base path /v1/api is missing in the signed path: sign the path as it stands in the URL.\n",
    );
    expect(await told(URL_SIGNED.replace("BTC", "ETH"))).toMatch(/No base path is known here.*--base-path/);
  });

  test("says that a key is unknown, revoked or of another pair", async () => {
    await using client = await trading();
    const key = await client.createWithoutScope();
    const { explain } = await client.signed(async () => key);
    await client.run("keys", "revoke", key.id, "--yes");
    expect((await explain(URL_SIGNED)).stdout).toMatch(
      /^- The API key is revoked\.\n- The API key lacks the scope trades\.read/,
    );
    const unknown = await explain(URL_SIGNED, [], (line) => line.replace(key.apiKey, "u".repeat(64)));
    expect(unknown.stdout).toMatch(/not registered/);
    const other = generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" });
    await writeFile(client.file("other.pem"), other);
    const given = ["--public-key", client.file("other.pem"), "--private-key", client.file("private.pem")];
    expect((await explain(URL_SIGNED, given)).stdout).toBe(
      "- The request was signed with the private key that was given, not with the registered key.\n",
    );
  });
});
