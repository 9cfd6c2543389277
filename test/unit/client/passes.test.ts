import { describe, expect, test } from "vitest";
import { Countinghouse, type FollowResume, type PassesOptions } from "../../../client/src/index.ts";
import { errorBody, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

const text =
  '{"partner_reference":"a",\n"type":"loyalty_pass","version":3,"semantics":{"points":1284.50,"level":"2"}}';
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

describe("a follow of passes", () => {
  const tagged = (tag: string, version: number): Scripted => ({
    headers: { ETag: `"${tag}"` },
    body: text.replace('"version":3', `"version":${version}`),
  });
  /** Follows until the script or the follow ends. */
  async function follow(answers: readonly Scripted[], resume?: FollowResume) {
    const { client, sent, waits } = begin(answers, { accessToken: "token-1" });
    const changes = client.passes.follow(["a"], { resume });
    const given: string[] = [];
    const read = async (): Promise<void> => {
      for await (const change of changes) {
        const { version } = change.status === 200 ? change.pass : { version: "-" };
        given.push(`${change.status} ${version} after ${JSON.parse(change.before ?? "{}").version ?? "-"}`);
      }
    };
    const end = await read().catch((error: Error) => error.message);
    const tags = sent.map(({ headers }) => headers["If-None-Match"]);
    return { given, end, tags, waits, resume: JSON.parse(JSON.stringify(changes.resume)) };
  }

  test("gives the pass as it is and when it has changed, by its tag once a minute, until it is gone", async () => {
    const unchanged = { status: 304 };
    const answers = [tagged("1", 1), unchanged, tagged("2", 2), unchanged, { status: 410 }];
    const { given, end, tags, waits } = await follow(answers);
    expect(given).toEqual(["200 1 after -", "200 2 after 1", "410 - after 2"]);
    expect([end, tags]).toEqual([undefined, [undefined, '"1"', '"1"', '"2"', '"2"']]);
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000]);
  });

  test("does not give the same pass again that comes without a tag, or with another one", async () => {
    const { given, tags } = await follow([
      { body: text },
      { body: text },
      tagged("1", 3),
      tagged("2", 3),
      { status: 410 },
    ]);
    expect(given).toEqual(["200 3 after -", "410 - after 3"]);
    expect(tags).toEqual([undefined, undefined, undefined, '"1"', '"2"']);
  });

  test("goes on where another one has ended, and asks no more for what is gone", async () => {
    const { resume } = await follow([tagged("1", 1)]);
    const on = await follow([tagged("2", 2), { status: 404 }], resume);
    expect([on.given, on.tags]).toEqual([
      ["200 2 after 1", "404 - after 2"],
      ['"1"', '"2"'],
    ]);
    expect(await follow([], on.resume)).toMatchObject({ given: [], end: undefined, tags: [] });
  });

  test("asks again later for what was never there", async () => {
    const { given, end, resume } = await follow([{ status: 404 }]);
    expect([given, end, resume]).toEqual([["404 - after -"], undefined, { seen: {} }]);
    expect((await follow([{ status: 410 }])).resume).toEqual({ seen: { a: "gone" } });
  });

  test("ends with a failure, and takes no other 404 for an end", async () => {
    const { given, end } = await follow([{ status: 404, body: { message: "Not Found" } }]);
    expect([given, end]).toEqual([[], expect.stringContaining("no_route")]);
  });
});
