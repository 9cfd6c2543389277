import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { fetchText } from "../../../lib/auth/fetch-text.ts";
import { IssuerKeySet } from "../../../lib/auth/key-set.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { tokenIssuer } from "../../support/tokens.ts";

const first = await tokenIssuer("ES256", "first");
const second = await tokenIssuer("ES256", "second");
const MINUTE_MS = 60_000;
const header = (kid: string) => ({ alg: "ES256", kid });

/** The number of keys for a header, counted by a caller that accepts none of them. */
const countOf = async (keys: IssuerKeySet, kid: string): Promise<number> =>
  (await Array.fromAsync(keys.fitting(header(kid)))).length;

/** The first key for a header, for a caller that stops there. */
async function firstOf(keys: IssuerKeySet, kid: string) {
  for await (const key of keys.fitting(header(kid))) return key;
  throw new Error("no key fits");
}

function issuerAt(keys: () => object[]) {
  let now = 1_000_000;
  let fetches = 0;
  let isDown = false;
  const keysOf = new IssuerKeySet({
    url: new URL("https://issuer.example/jwks"),
    clock: () => now,
    fetchText: async () => {
      fetches += 1;
      if (isDown) throw new Error("connection refused");
      return JSON.stringify({ keys: keys() });
    },
  });
  return {
    find: (kid: string) => firstOf(keysOf, kid),
    count: (kid: string) => countOf(keysOf, kid),
    fetches: () => fetches,
    advance: (ms: number) => {
      now += ms;
    },
    down: (value: boolean) => {
      isDown = value;
    },
  };
}

describe("IssuerKeySet", () => {
  test("a rotated key is found without a restart, and unknown kids cause a fetch at most every 30 s", async () => {
    let published = [first.jwk];
    const issuer = issuerAt(() => published);
    await issuer.find("first");
    published = [second.jwk];
    await expect(issuer.find("second")).rejects.toThrow("no key fits");
    issuer.advance(29_999);
    await expect(issuer.find("second")).rejects.toThrow("no key fits");
    expect(issuer.fetches()).toBe(1);
    issuer.advance(1);
    await issuer.find("second");
    for (let attempt = 0; attempt < 5; attempt += 1) await expect(issuer.find("third")).rejects.toThrow();
    expect(issuer.fetches()).toBe(2);
  });

  test("a key that the issuer withdrew is gone after ten minutes", async () => {
    let published = [first.jwk, second.jwk];
    const issuer = issuerAt(() => published);
    await issuer.find("first");
    published = [second.jwk];
    issuer.advance(10 * MINUTE_MS);
    await expect(issuer.find("first")).rejects.toThrow();
  });

  test("the last good keys serve for a day while the issuer is down, and not longer", async () => {
    const issuer = issuerAt(() => [first.jwk]);
    await issuer.find("first");
    issuer.down(true);
    issuer.advance(24 * 60 * MINUTE_MS);
    await issuer.find("first");
    issuer.advance(30_000);
    await expect(issuer.find("first")).rejects.toMatchObject({ code: "temporarily_unavailable" });
    issuer.down(false);
    issuer.advance(4_999);
    await expect(issuer.find("first")).rejects.toMatchObject({ code: "temporarily_unavailable" });
    issuer.advance(1);
    await issuer.find("first");
  });

  test("the last good keys serve while the issuer is down and the machine's clock is set back", async () => {
    const issuer = issuerAt(() => [first.jwk]);
    await issuer.find("first");
    issuer.down(true);
    issuer.advance(-60 * MINUTE_MS);
    for (let request = 0; request < 5; request += 1) await issuer.find("first");
    expect(issuer.fetches()).toBe(2);
  });

  test("an issuer that is down is asked again every 30 s, not by every request", async () => {
    const issuer = issuerAt(() => [first.jwk]);
    await issuer.find("first");
    issuer.down(true);
    issuer.advance(10 * MINUTE_MS);
    for (const [passedMs, fetches] of [
      [0, 2],
      [29_999, 2],
      [1, 3],
      [29_999, 3],
      [1, 4],
    ] as const) {
      issuer.advance(passedMs);
      for (let request = 0; request < 5; request += 1) await issuer.find("first");
      expect(issuer.fetches()).toBe(fetches);
    }
  });

  test("an issuer that is down is asked every 5 s while there are no keys yet, however many requests come", async () => {
    const issuer = issuerAt(() => [first.jwk]);
    issuer.down(true);
    const refusal = { code: "temporarily_unavailable", retryAfterMs: 5_000 };
    for (let request = 0; request < 50; request += 1)
      await expect(issuer.find("first")).rejects.toMatchObject(refusal);
    expect(issuer.fetches()).toBe(1);
    issuer.down(false);
    issuer.advance(5_000);
    await issuer.find("first");
    expect(issuer.fetches()).toBe(2);
  });

  test("a set without a key that verifies leaves the last good keys in force", async () => {
    let published: object[] = [first.jwk];
    const issuer = issuerAt(() => published);
    await issuer.find("first");
    for (const useless of [[], [{ ...first.jwk, use: "enc" }], [{ kty: "oct", k: "AAAA" }]]) {
      published = useless;
      issuer.advance(10 * MINUTE_MS);
      await issuer.find("first");
    }
  });

  test("the set is fetched again when a key does not verify, because it may have been replaced under its kid", async () => {
    let published = [first.jwk];
    const issuer = issuerAt(() => published);
    await issuer.find("first");
    published = [{ ...second.jwk, kid: "first" }];
    issuer.advance(30_000);
    expect(await issuer.count("first")).toBe(2);
    expect(await issuer.count("first")).toBe(1);
    expect(issuer.fetches()).toBe(2);
  });

  test("requests that come together fetch once", async () => {
    const issuer = issuerAt(() => [first.jwk]);
    await Promise.all(Array.from({ length: 10 }, () => issuer.find("first")));
    expect(issuer.fetches()).toBe(1);
  });

  test.each(["", "[]", "{}", '{"keys":7}', '{"keys":[]}', '{"keys":[null,7,{}]}', "null", "<html>"])(
    "a set that reads %j is a failed fetch",
    async (text) => {
      const url = new URL("https://issuer.example");
      const keys = new IssuerKeySet({ url, clock: () => 0, fetchText: async () => text });
      await expect(firstOf(keys, "first")).rejects.toMatchObject({ code: "temporarily_unavailable" });
    },
  );
});

describe("fetchText", () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });
  async function serve(listener: RequestListener): Promise<URL> {
    const server = createServer(listener);
    const port = await listenOnLoopback(server);
    closers.push(() => server.close().closeAllConnections());
    return new URL(`http://127.0.0.1:${port}/jwks`);
  }

  test("returns the body of a 200", async () => {
    expect(await fetchText(await serve((_request, response) => response.end("é")))).toBe("é");
  });

  test("64 KiB are read, a byte more is refused", async () => {
    const sized = (bytes: number) => serve((_request, response) => response.end("x".repeat(bytes)));
    expect(await fetchText(await sized(65_536))).toHaveLength(65_536);
    await expect(fetchText(await sized(65_537))).rejects.toThrow("more than 65536 bytes");
  });

  test("any other status, a redirect among them, is refused", async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: "/other" }).end());
    await expect(fetchText(url)).rejects.toThrow("answered 302");
  });

  test("a response that breaks off is refused", async () => {
    await expect(fetchText(await serve((request) => request.socket.destroy()))).rejects.toThrow();
  });
});
