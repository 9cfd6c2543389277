import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newApiKey } from "../../../../lib/auth/credential.ts";
import { newExchangeApiKey } from "../../../../lib/auth/exchange-key.ts";
import type { Exchange } from "../../../../local/gateway/exchange.ts";
import { ownResponse } from "../../../../local/gateway/response.ts";
import { shownTarget } from "../../../../local/http/shown-target.ts";
import { RequestLog } from "../../../../local/log/request-log.ts";
import { logFormatOf } from "../../../../local/options.ts";
import type { Paint } from "../../../../local/terminal/tint.ts";

const ID = "ATfSmjLgPHcESJw=";
const atMs = new Date(2026, 10, 28, 12, 1, 33).getTime();
const paint: Paint = (tint, text) => (tint === "soft" || tint === "strong" ? text : `<${tint}>${text}</>`);

const refusal = { code: "invalid_credentials", error_id: "e-1", message: "No.", timestamp: 1 };
const answerOf = (statusCode: number, body: object): Exchange["response"] => ({
  statusCode,
  headers: { "request-id": "r" },
  body: Buffer.from(JSON.stringify(body)),
});
const exchangeOf = (response: Exchange["response"], sentTarget = "/transactions?count=5"): Exchange => ({
  requestId: ID,
  receivedAtMs: atMs - 5,
  durationMs: 5,
  method: "GET",
  sentTarget,
  target: "unreadable",
  headers: {},
  response,
});
const entry = { gateway_request_id: ID, status: 401, reason: "unknown API key" };

function startLog(waitMs = 60_000) {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const log = new RequestLog({ print, log: (name, line) => print(`[${name}] ${line}`), paint, waitMs });
  return { log, printed };
}

describe("the log for people", () => {
  test("has a line for an answered request", async () => {
    const { log, printed } = startLog();
    log.take("f", JSON.stringify({ ...entry, status: 200 }));
    log.answered({ exchange: exchangeOf(answerOf(200, {})), hints: [], calls: [] });
    await log.flush();
    expect(printed).toEqual(["12:01:33 GET /transactions?count=5 <good>200</> 5 ms"]);
  });

  test("names what is new in an answer on purpose", async () => {
    const { log, printed } = startLog(1);
    const exchange = exchangeOf({ ...answerOf(200, {}), scene: "`wallet` is gone" });
    log.answered({ exchange, hints: [], calls: [] });
    await log.flush();
    expect(printed).toEqual([
      "12:01:33 GET /transactions?count=5 <good>200</> 5 ms <accent>tomorrow: `wallet` is gone</>",
    ]);
  });

  test.each([
    [0, "<good>200</> 5 ms"],
    [1, "<good>200</> 5 ms 1 token"],
    [7, "<good>200</> 5 ms 7 tokens"],
  ])("says that a request was charged %i tokens", async (tokens, end) => {
    const { log, printed } = startLog(1);
    const bill = { tokens, readUnits: 1, writeUnits: 1, bytesOut: 2 };
    log.answered({ exchange: exchangeOf(answerOf(200, {})), hints: [], calls: [], bill });
    await log.flush();
    expect(printed).toEqual([`12:01:33 GET /transactions?count=5 ${end}`]);
  });

  test.each(["before", "after"])(
    "has code, reason and error_id of a refused request, and the hints, when the function's line comes %s the answer",
    async (order) => {
      const { log, printed } = startLog();
      if (order === "before") log.take("f", JSON.stringify(entry));
      log.answered({ exchange: exchangeOf(answerOf(401, refusal)), hints: ["One.", "Two."], calls: [] });
      if (order === "after") log.take("f", JSON.stringify(entry));
      await log.flush();
      expect(printed).toEqual([
        "12:01:33 GET /transactions?count=5 <warn>401</> 5 ms invalid_credentials (unknown API key) error_id e-1",
        "         <warn>warning: One.</>",
        "         <warn>warning: Two.</>",
      ]);
    },
  );

  test("does not wait for ever for a function that logs nothing", async () => {
    const { log, printed } = startLog(1);
    log.answered({ exchange: exchangeOf(answerOf(401, refusal)), hints: [], calls: [] });
    await log.flush();
    expect(printed).toEqual([
      "12:01:33 GET /transactions?count=5 <warn>401</> 5 ms invalid_credentials error_id e-1",
    ]);
  });

  test("does not wait for a function where the gateway itself answered", async () => {
    const { log, printed } = startLog();
    log.answered({ exchange: exchangeOf(ownResponse(503)), hints: [], calls: [] });
    await log.flush();
    expect(printed).toEqual(["12:01:33 GET /transactions?count=5 <bad>503</> 5 ms by the gateway"]);
  });

  test("has a function's fault in full beside the line, and whatever else functions print", async () => {
    const { log, printed } = startLog();
    const fault = JSON.stringify({ ...entry, status: 500, fault: { name: "TypeError", frames: ["at f"] } });
    for (const line of [fault, "a text", '{"level":"WARN"}', "{", JSON.stringify({ status: 200 })])
      log.take("f", line);
    expect(printed).toEqual([
      `[f] ${fault}`,
      "[f] a text",
      '[f] {"level":"WARN"}',
      "[f] {",
      '[f] {"status":200}',
    ]);
    log.answered({
      exchange: exchangeOf(answerOf(500, { ...refusal, code: "internal_error" })),
      hints: [],
      calls: [],
    });
    await log.flush();
    expect(printed.at(-1)).toContain("<bad>500</> 5 ms internal_error (unknown API key) error_id e-1");
  });
});

describe("the path and query of a line", () => {
  const credentials = fc.oneof(
    fc.constant(null).map(newApiKey),
    fc.constant(null).map(newExchangeApiKey),
    fc.constantFrom("eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl", "eyJhbGciOi..c2lnbmF0dXJl"),
  );
  const word = fc.stringMatching(/^[a-z0-9:-]{0,12}$/);

  test("are as they were asked, without a credential that stands in the wrong place", () => {
    fc.assert(
      fc.property(fc.array(word), credentials, word, word, (segments, credential, name, value) => {
        const path = `/${segments.join("/")}`;
        expect(shownTarget(`${path}?n${name}=${value}`)).toBe(`${path}?n${name}=${value}`);
        expect(shownTarget(`${path}/${credential}/${name}`)).toBe(`${path}/(not shown)/${name}`);
        expect(shownTarget(`${path}?${name}=${credential}&a=b`)).toBe(`${path}?${name}=(not shown)&a=b`);
        expect(shownTarget(`${path}?${credential}`)).toBe(`${path}?(not shown)`);
      }),
    );
  });

  test.each(["access_token", "X-API-KEY", "apikey", "client_secret", "Authorization"])(
    "have no value of a parameter that is called %s, whatever is in it",
    (name) => {
      expect(shownTarget(`/a?${name}=a/b=c?d,e&count=5`)).toBe(`/a?${name}=(not shown)&count=5`);
      expect(shownTarget(`/a?${name}=`)).toBe(`/a?${name}=`);
    },
  );

  test("are cut when they are long, and have no character that a terminal acts on", () => {
    expect(shownTarget(`/${"a/".repeat(99)}b`)).toBe(`/${"a/".repeat(99)}b`);
    expect(shownTarget(`/${"a/".repeat(100)}b`)).toBe(`/${"a/".repeat(99)}a…`);
    expect(shownTarget("/\u009b31m")).toBe("/\\u{9b}31m");
  });
});

test("a terminal gets lines and a program JSON, unless another format was asked for", () => {
  expect([undefined, "json", "lines"].map((asked) => logFormatOf(asked as never, true))).toEqual([
    "lines",
    "json",
    "lines",
  ]);
  expect([undefined, "json", "lines"].map((asked) => logFormatOf(asked as never, false))).toEqual([
    "json",
    "json",
    "lines",
  ]);
});
