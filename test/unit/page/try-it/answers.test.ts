import { describe, expect, test } from "vitest";
import { errorBodyOf } from "../../../../page/src/try-it/error-body.ts";
import { headerNotes } from "../../../../page/src/try-it/header-notes.ts";
import { pageAfter } from "../../../../page/src/try-it/next-page.ts";
import { reasonText } from "../../../../page/src/try-it/reason-text.ts";

const known = (headers: Record<string, string>, retryAfterUnit: "milliseconds" | "seconds" = "seconds") => ({
  headers: new Headers(headers),
  retryAfterUnit,
  now: Date.UTC(2026, 0, 1),
});
const meanings = (...given: Parameters<typeof known>) =>
  Object.fromEntries(headerNotes(known(...given)).map(({ name, meaning }) => [name, meaning]));

describe("the headers of an answer are explained", () => {
  test("tokens by bucket, with how many there are when full", () => {
    const headers = {
      "RateLimit-Policy": '"second";q=100;w=1, "minute";q=1000;w=60',
      RateLimit: '"second";r=99;t=1, "minute";r=999;t=1',
    };
    expect(meanings(headers).RateLimit).toBe(
      "99 of 100 tokens left in “second”, full again in 1 s; 999 of 1000 tokens left in “minute”, full again in 1 s.",
    );
    expect(meanings({ RateLimit: '"b";r=3;t=2' }).RateLimit).toBe("3 tokens left in “b”, full again in 2 s.");
  });

  test("a wait in the unit of the interface", () => {
    const headers = { "Retry-After": "120" };
    expect(meanings(headers, "seconds")["Retry-After"]).toContain("Wait 120000 ms");
    expect(meanings(headers, "milliseconds")["Retry-After"]).toContain("Wait 120 ms");
    expect(meanings({ "Retry-After": "soon" })["Retry-After"]).not.toContain("Wait");
  });

  test("a deprecation by its day, and a link by what it leads to", () => {
    const deprecated = meanings({
      Deprecation: "@1782864000",
      Link: '</transactions>; rel="successor-version"',
    });
    expect(deprecated.Deprecation).toContain("2026-07-01");
    expect(deprecated.Link).toContain("replaces");
    expect(meanings({ Link: '</transactions?cursor=c>; rel="next"' }).Link).toBe("The next page.");
  });

  test("others are left out, because they leave nothing to do", () => {
    const others = {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Local-Bill": "tokens=1",
    };
    expect(headerNotes(known(others))).toEqual([]);
  });
});

describe("the next page", () => {
  const url = new URL("http://127.0.0.1:3000/1.0/trades/all/BTC-USD?limit=5");
  const linkAfter = (headers: Record<string, string>, text: string) =>
    pageAfter(url, { headers: new Headers(headers), text })?.href;

  test("is that of the Link, else that of the cursor", () => {
    expect(linkAfter({ Link: '</transactions?cursor=c>; rel="next"' }, "[]")).toBe(
      "http://127.0.0.1:3000/transactions?cursor=c",
    );
    expect(linkAfter({}, '{"metadata":{"next_cursor":"A/b"},"data":[]}')).toBe(`${url.href}&cursor=A%2Fb`);
  });

  test.each(['{"metadata":{}}', "[]", "null", "", "no json", '{"metadata":{"next_cursor":1}}'])(
    "is absent after %j",
    (text) => {
      expect(linkAfter({ Link: '</transactions>; rel="successor-version"' }, text)).toBeUndefined();
    },
  );

  test.each(["<http://[>; rel=next", "<?cursor=a", "nothing"])(
    "is absent after a link that cannot be read: %s",
    (link) => expect(linkAfter({ Link: link }, "[]")).toBeUndefined(),
  );
});

describe("a refusal", () => {
  test("is read from the body of the service, and from that of the gateway", () => {
    const body = { error_id: "e", code: "gone", message: "The pass is gone.", timestamp: 1_795_554_000_000 };
    const { error_id: _, ...read } = body;
    expect(errorBodyOf(JSON.stringify(body))).toEqual(read);
    expect(errorBodyOf('{"message":"Not Found"}')).toEqual({ message: "Not Found" });
  });

  test.each(["", "no json", "null", "[1]", '{"code":1,"message":null,"timestamp":"x"}'])(
    "with the body %j has nothing to read",
    (text) => {
      expect(errorBodyOf(text)).toEqual({});
    },
  );

  test("has its reason in words, with the code that the log has", () => {
    expect(reasonText("ERR_JWT_EXPIRED")).toBe("the token has expired (ERR_JWT_EXPIRED)");
    expect(reasonText("the signature does not match")).toBe("the signature does not match");
    expect(reasonText("constructor")).toBe("constructor");
  });
});
