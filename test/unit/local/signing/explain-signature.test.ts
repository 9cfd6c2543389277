import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { defaultFreshness } from "../../../../lib/signature/settings.ts";
import {
  type ExplainParts,
  explainSignature,
  type FailedRequest,
} from "../../../../local/signing/explain-signature.ts";
import { partsOfUrl, signParts, signRequest } from "../../../../local/signing/sign-request.ts";
import { NOW } from "../../../support/chain.ts";
import { API_KEY, keyPairOf, trader } from "../../../support/signing.ts";

const URL_SENT =
  "https://api.example/api/1.0/trades/all/BTC-USD?start_date=1795467600000&limit=10&cursor=a%2Cb";
const parts: ExplainParts = {
  brand: { headerPrefix: contractBrand.headerPrefix, basePath: "/api" },
  freshness: defaultFreshness,
  publicKeys: [{ hex: trader.publicKeyHex, what: "the registered key" }],
  judgedAt: NOW,
};

const headersNow = (url = URL_SENT, now = NOW) =>
  signRequest({ method: "GET", url, now }, { apiKey: API_KEY, privateKey: trader.privateKey }, "X-Svc-");

const explain = (changes: Partial<FailedRequest> = {}, explainParts: Partial<ExplainParts> = {}) =>
  explainSignature(
    { method: "GET", url: URL_SENT, headers: headersNow(), hasBody: false, ...changes },
    { ...parts, ...explainParts },
  );

/** Headers of a client that signed this text by mistake. */
const signedOver = (text: string) => ({
  ...headersNow(),
  "X-Svc-Signature": signParts({ timestamp: "", method: "", path: "", rawQuery: text }, trader.privateKey),
});

const PATH = "/api/1.0/trades/all/BTC-USD";
const QUERY = "start_date=1795467600000&limit=10&cursor=a%2Cb";

test("a correct request has no findings", () => {
  expect(explain()).toEqual([]);
  expect(
    explain({
      headers: Object.fromEntries(
        Object.entries(headersNow()).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    }),
  ).toEqual([]);
});

describe("a text that should not have been signed is named", () => {
  test.each([
    ["a question mark", `${NOW}GET${PATH}?${QUERY}`, [/^A \? was signed/]],
    ["a sorted query", `${NOW}GET${PATH}cursor=a%2Cb&limit=10&start_date=1795467600000`, [/sorted/]],
    [
      "a sorted query after a question mark",
      `${NOW}GET${PATH}?cursor=a%2Cb&limit=10&start_date=1795467600000`,
      [/\? was signed.*sorted/],
    ],
    ["a decoded query", `${NOW}GET${PATH}start_date=1795467600000&limit=10&cursor=a,b`, [/decoded/]],
    ["no query", `${NOW}GET${PATH}`, [/query is missing/]],
    ["no base path", `${NOW}GET/1.0/trades/all/BTC-USD${QUERY}`, [/base path \/api is missing/]],
    ["the base path twice", `${NOW}GET/api${PATH}${QUERY}`, [/twice/]],
    ["the whole URL", `${NOW}GET${URL_SENT.replace("?", "")}`, [/whole URL/]],
    ["a lower-case method", `${NOW}get${PATH}${QUERY}`, [/lower case/]],
    [
      "a lower-case symbol",
      `${NOW}GET/api/1.0/trades/all/btc-usd${QUERY}`,
      [/symbol was signed in lower case/],
    ],
    ["an encoded path", `${NOW}GET/api/1.0/trades/all/BTC%2DUSD${QUERY}`, [/percent-encoded/]],
    ["a timestamp in seconds", `${NOW / 1000}GET${PATH}${QUERY}`, [/in seconds/]],
    ["a body of nothing", `${NOW}GET${PATH}${QUERY}{}`, [/JSON body/]],
    ["line ends between the parts", `${NOW}\nGET\n${PATH}\n${QUERY}`, [/joined with "\\n"/]],
    [
      "three mistakes",
      `${NOW / 1000}get/1.0/trades/all/BTC-USD${QUERY}`,
      [/in seconds/, /lower case/, /base path/],
    ],
  ])("%s", (_, text, expected) => {
    const findings = explain({ headers: signedOver(text) });
    expect(findings).toHaveLength(expected.length);
    for (const [at, finding] of findings.entries()) expect(finding).toMatch(expected[at] ?? /^$/);
  });

  test("a query that was encoded otherwise than it is sent", () => {
    const url = URL_SENT.replace("%2C", ",");
    expect(explain({ url })).toEqual([expect.stringMatching(/encoded again/)]);
  });

  test("for an unknown text, the text to sign is shown", () => {
    const [finding, ...others] = explain({ headers: signedOver("something else") });
    expect(others).toEqual([]);
    expect(finding).toContain(`${NOW}GET${PATH}${QUERY}`);
  });
});

describe("keys", () => {
  const other = keyPairOf("another");

  test("a signature by another key that is at hand is named", () => {
    const publicKeys = [
      { hex: other.publicKeyHex, what: "the registered key" },
      { hex: trader.publicKeyHex, what: "your private key" },
    ];
    expect(explain({}, { publicKeys })).toEqual([
      "The request was signed with your private key, not with the registered key.",
    ]);
  });

  test("a signature by an unknown key is reported to fit no key", () => {
    const publicKeys = [{ hex: other.publicKeyHex, what: "the registered key" }];
    expect(explain({}, { publicKeys })).toEqual([
      expect.stringMatching(/No text .* by the registered key.*another key/),
    ]);
  });

  test.each(["", "k".repeat(63), `${API_KEY},${API_KEY}`, "-".repeat(64)])(
    "%o is not an API key",
    (apiKey) => {
      expect(explain({ headers: { ...headersNow(), "X-Svc-API-Key": apiKey } })).toEqual([
        expect.stringMatching(/API key/),
      ]);
    },
  );
});

describe("spellings of the signature", () => {
  const right = headersNow()["X-Svc-Signature"] ?? "";
  const bytes = Buffer.from(right, "base64");
  test.each([
    ["base64url", bytes.toString("base64url"), /base64url/],
    ["no padding", right.slice(0, 86), /padding|base64url/],
    ["hex", bytes.toString("hex"), /hex/],
    ["a line end inside", `${right.slice(0, 64)}\n${right.slice(64)}`, /line ends/],
    ["encoded twice", Buffer.from(right).toString("base64"), /twice/],
    ["hex inside Base64", Buffer.from(bytes.toString("hex")).toString("base64"), /twice/],
    ["another last symbol", `${right.slice(0, 85)}x==`, /last symbol/],
  ])("%s is named, and the signature in it is still verified", (_, spelling, expected) => {
    expect(explain({ headers: { ...headersNow(), "X-Svc-Signature": spelling } })).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  test.each(["x", `${right},${right}`, ""])("%o is not a signature", (spelling) => {
    expect(explain({ headers: { ...headersNow(), "X-Svc-Signature": spelling } })).toEqual([
      expect.stringMatching(/signature has the wrong form/),
    ]);
  });
});

describe("time", () => {
  test("seconds, microseconds and nanoseconds are named", () => {
    for (const [timestamp, unit] of [
      [NOW / 1000, /in seconds: multiply/],
      [`${NOW}000`, /microseconds/],
      [`${NOW}000000`, /nanoseconds/],
    ] as const) {
      const headers = { ...headersNow(), "X-Svc-Timestamp": String(timestamp) };
      expect(explain({ headers })).toContainEqual(expect.stringMatching(unit));
    }
  });

  test("a clock beyond the limit is named with its difference, on either side, and one at the limit is not", () => {
    expect(explain({ headers: headersNow(URL_SENT, NOW - 30_000) })).toEqual([]);
    expect(explain({ headers: headersNow(URL_SENT, NOW - 30_001) })).toEqual([
      expect.stringMatching(/30001 ms behind.* Set the client's clock, or sign right before sending\.$/),
    ]);
    expect(explain({ headers: headersNow(URL_SENT, NOW + 5_001) })).toEqual([
      expect.stringMatching(/5001 ms ahead.*accepted\. Set the client's clock\.$/),
    ]);
  });
});

describe("the request itself", () => {
  test("a missing header is named, and one with another prefix is pointed out", () => {
    expect(explain({ headers: {} })).toHaveLength(3);
    const renamed = Object.fromEntries(
      Object.entries(headersNow()).map(([name, value]) => [name.replace("X-Svc-", "X-Other-"), value]),
    );
    expect(explain({ headers: renamed })[1]).toMatch(
      /X-Svc-Timestamp is missing; x-other-timestamp has another prefix/,
    );
  });

  test.each([
    [
      "a URL without the base path",
      { url: "https://api.example/1.0/trades/all/BTC-USD" },
      /lacks this stage's base path/,
    ],
    ["a lower-case symbol", { url: "https://api.example/api/1.0/trades/all/btc-usd" }, /must be upper case/],
    [
      "a query that begins in upper case",
      { url: `https://api.example${PATH}?Limit=1` },
      /does not begin with a letter/,
    ],
    ["a body", { hasBody: true, url: URL_SENT }, /a body/],
    ["a lower-case method", { method: "get", url: URL_SENT }, /must be upper case in the request/],
  ])("%s", (_, changes, expected) => {
    expect(explain({ headers: headersNow(changes.url), ...changes })).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  test("an address that is not absolute cannot be judged", () => {
    expect(() => partsOfUrl("GET", "/1.0/trades/all/BTC-USD", "1")).toThrow(/absolute/);
  });
});
