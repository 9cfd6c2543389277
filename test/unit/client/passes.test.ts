import { describe, expect, test } from "vitest";
import { Countinghouse, type PassesOptions } from "../../../client/src/index.ts";
import { errorBody, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

const text =
  '{"partner_reference":"a","type":"loyalty_pass","version":3,"semantics":{"points":1284.50,"level":"2"}}';
const d = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const jwk = { kty: "OKP", crv: "Ed25519", d, kid: "k" } as const;

function begin(answers: readonly Scripted[], passes: PassesOptions = { accessToken: "t" }) {
  const server = scriptServer(answers);
  return { ...server, client: new Countinghouse({ ...server.options, passes }) };
}

describe("a pass that is asked for", () => {
  test("comes with its tag and its text, and its numbers keep their digits", async () => {
    const { client, sent } = begin([{ headers: { ETag: 'W/"1"' }, body: text }]);
    expect(await client.passes.get("a:b")).toEqual({
      status: 200,
      pass: {
        partner_reference: "a",
        type: "loyalty_pass",
        version: 3,
        semantics: { points: "1284.50", level: "2" },
      },
      tag: 'W/"1"',
      text,
    });
    expect(sent[0]?.url).toBe("https://api.test/base/passes/a%3Ab");
    const headers = { "Service-Api-Version": "2026-07-01", Authorization: "Bearer t" };
    expect(sent[0]?.headers).toMatchObject(headers);
    expect(sent[0]?.headers).not.toHaveProperty("If-None-Match");
  });

  test("is unchanged while its tag is the same", async () => {
    const { client, sent } = begin([{ status: 304 }]);
    expect(await client.passes.get("a", { ifNoneMatch: '"1"' })).toEqual({ status: 304, tag: '"1"' });
    expect(sent[0]?.headers["If-None-Match"]).toBe('"1"');
  });

  test("cannot be unchanged when no tag was sent", async () => {
    const got = begin([{ status: 304 }]).client.passes.get("a");
    await expect(got).rejects.toMatchObject({ code: "unexpected_answer", status: 304 });
  });

  test.each([
    [404, errorBody("not_found")],
    [410, errorBody("gone")],
    [404, "nothing here"],
    [410, { error: "of a partner's own server" }],
  ])("may be gone: %i", async (status, body) => {
    expect(await begin([{ status, body }]).client.passes.get("a")).toEqual({ status });
  });

  test("is not gone because API Gateway does not know the path", async () => {
    const { client } = begin([{ status: 404, body: { message: "Not Found" } }]);
    await expect(client.passes.get("a")).rejects.toMatchObject({ code: "no_route" });
  });
});

describe("the credentials of a wallet", () => {
  const headersOf = async (passes: PassesOptions) => {
    const { client, sent } = begin([{ body: text }], passes);
    await client.passes.get("a");
    return sent[0]?.headers ?? {};
  };

  test("may be all that are given at once, and none where the connection has a certificate", async () => {
    const both = await headersOf({ accessToken: "t", jws: jwk });
    expect(both).toMatchObject({ Authorization: "Bearer t", "Jws-Signature": expect.any(String) });
    const none = await headersOf({});
    expect(Object.keys(none)).toEqual(["Service-Api-Version", "Request-Id"]);
  });

  test("may be a signature that the program makes", async () => {
    const asked: string[] = [];
    const signJws: PassesOptions["signJws"] = ({ method, url }) => {
      asked.push(`${method} ${url.pathname}`);
      return "h..s";
    };
    expect(await headersOf({ signJws })).toMatchObject({ "Jws-Signature": "h..s" });
    expect(asked).toEqual(["GET /base/passes/a"]);
  });

  test("sign each request with another jti", async () => {
    const { client, sent } = begin([{ body: text }, { body: text }], { jws: jwk });
    for (let times = 0; times < 2; times += 1) await client.passes.get("a");
    const claims = sent.map(({ headers }) =>
      JSON.parse(Buffer.from(headers["Jws-Signature"]?.split(".")[0] ?? "", "base64url").toString()),
    );
    expect(claims[0]).toMatchObject({ kid: "k", htm: "GET", htp: "/base/passes/a", iat: 1_795_554_000 });
    expect(claims[0].jti).not.toBe(claims[1].jti);
  });

  test("and the version have the names that the deployment gives them", async () => {
    const headers = await headersOf({ versionHeader: "Acme-Version", serviceApiVersion: "2025-01-01" });
    expect(headers).toMatchObject({ "Acme-Version": "2025-01-01" });
    expect(headers).not.toHaveProperty("Service-Api-Version");
  });
});
