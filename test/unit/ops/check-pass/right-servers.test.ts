import { describe, expect, test } from "vitest";
import { checkVariation, plain, type Variation } from "../../../support/right-pass-servers.ts";
import { onStatus } from "../../../support/wrong-pass-servers.ts";

const byDate: Variation["limit"] = { ...plain.limit, requests: 30, tells: "date" };

/** Servers that keep the contract, each in a way that a hasty check would report as a fault. */
const servers: Readonly<Record<string, Partial<Variation>>> = {
  "has a clock that is seconds behind, and tells dates": { clockAheadMs: -5_000, limit: byDate },
  "has a clock that is a day behind, and tells dates": { clockAheadMs: -86_400_000, limit: byDate },
  "has a clock that is a day ahead, and tells dates": { clockAheadMs: 86_400_000, limit: byDate },
  "writes dates as RFC 850 has them": { dates: "rfc850", limit: byDate },
  "writes dates as asctime does": { dates: "asctime", limit: byDate },
  "tells dates and sends no Date": { clockAheadMs: undefined, limit: byDate },
  "answers slowly, and tells dates": { slowMs: 2_500, limit: byDate },
  "has a pass that changes all the time": { changesEvery: 9 },
  "has a tag with bytes beyond ASCII": { tagOf: (version) => `"caf\u00e9-\u0080\u00ff${version}"` },
  "has tags that are weak": { tagOf: (version) => `W/"${version}"` },
  "has no capacity now and then, and does not say for how long": { troubleEvery: 7 },
  "has no capacity now and then, for two seconds": { troubleEvery: 7, trouble: { "retry-after": "2" } },
  "limits its callers by 503": { limit: { ...plain.limit, requests: 30, status: 503 } },
  "speaks HTTP/1.0": { http: "1.0" },
  "keeps connections": { keepsConnections: true },
  "stands behind a proxy that compresses and weakens tags": { gzip: "weakened" },
  "stands behind a proxy that compresses and renames tags, and knows them again": { gzip: "renamed" },
  "stands behind a proxy that knows renamed tags, and does not rename those of a 304": {
    gzip: "renamed, 304 with the other name",
  },
  "stands behind a network that adds its headers": {
    added: { age: "30", via: "1.1 edge", vary: "Accept-Encoding", "x-cache": "Hit" },
  },
  "gives errors tags of their own": { hasErrorTags: true },
  "names the type of the 200 on a 304": { notModified: { "content-type": "application/json" } },
  "has a replica that a change reaches half a second later": { lagMs: 500 },
  "names the reference in its errors": { errorBody: '{"code":"x","partner_reference":"ref-1"}' },
  "has a member of the pass in its errors by chance": { errorBody: '{"version":1}' },
  "takes each signature once": { isSigned: true },
  "looks at the version and its limit before anything else": {
    order: ["version", "limit", "credential", "scope", "pass", "tag"],
  },
  "looks at the version last but for the tag, and limits nothing that has not changed": {
    order: ["credential", "scope", "pass", "version", "tag", "limit"],
  },
};

const jwsRules = [
  "401-bad-jws",
  "401-strange-jws",
  "401-unsigned-jws",
  "401-brought-jws",
  "401-confused-jws",
];

describe("no rule fails, and none stays unchecked, for a right server that", () => {
  test.each(Object.entries(servers))("%s", async (_, traits) => {
    const variation = { ...plain, ...traits };
    const { isSigned, limit, troubleEvery } = variation;
    const findings = await checkVariation(variation);
    const told = findings.filter(({ verdict }) => verdict !== "pass").map(({ id, seen }) => `${id}: ${seen}`);
    expect(told).toEqual([
      ...(isSigned ? [] : jwsRules.map((id) => `${id}: needs --jws-key`)),
      "401-strange-certificate: needs --cert and --key",
      ...(limit.status === 503 ? ["request-id-429: no 429 was met"] : []),
      ...(limit.status === 503 || troubleEvery !== undefined ? [] : ["request-id-503: no 503 was met"]),
    ]);
  });

  test("stands behind a proxy that weakens the tags of answers with content, and of no 304", async () => {
    const strong = onStatus(304, ({ headers }) => ({
      headers: { ...headers, etag: headers.etag?.replace("W/", "") ?? "" },
    }));
    const findings = await checkVariation({ ...plain, tagOf: (version) => `W/"${version}"` }, strong);
    expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  });

  test("has no member but the reference, and names it in its errors", async () => {
    const body = '{"partner_reference":"ref-1"}';
    const silent = { ...plain, passOf: () => body, errorBody: body };
    const failed = (await checkVariation(silent)).filter(({ verdict }) => verdict === "fail");
    expect(failed).toEqual([]);
  });

  test("writes its body differently each time, under a weak tag", async () => {
    let written = 0;
    const passOf: Variation["passOf"] = (reference, version) => {
      written += 1;
      const members = { partner_reference: reference, version, written };
      return JSON.stringify(
        written % 2 === 0 ? members : Object.fromEntries(Object.entries(members).toReversed()),
      );
    };
    const findings = await checkVariation({ ...plain, passOf, tagOf: (version) => `W/"${version}"` });
    expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  });
});
