import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { describeChange } from "../../../../ops/poll/describe-change.ts";
import { pollLines, pollPass } from "../../../../ops/poll/poll-pass.ts";
import { NOW } from "../../../support/chain.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";
import {
  type PassAnswer,
  REFERENCES,
  type ServerState,
  startPassServer,
  TOKENS,
  type Traits,
  walletFor,
} from "../../../support/pass-server.ts";

interface Scene {
  readonly breach?: Traits;
  /** Changes an answer by the number of its request, from 1. */
  readonly change?: (asked: number, answer: PassAnswer) => PassAnswer;
  readonly reference?: string;
  readonly pollsMax?: number;
  /** Called at each wait, with the number of waits. */
  readonly onWait?: (waits: number, state: ServerState, stop: AbortController) => void;
}

/** Polls a server of our own, whose state moves on while the poller waits. */
async function poll({ breach, change, reference = REFERENCES.current, pollsMax, onWait }: Scene) {
  let asked = 0;
  const changing: NonNullable<Traits["change"]> = (answer) => {
    asked += 1;
    return change?.(asked, answer) ?? answer;
  };
  const server = await startPassServer({ change: changing, ...breach });
  const stop = new AbortController();
  const lines: string[] = [];
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
    onWait?.(waits.length, server.state, stop);
  };
  const end = await pollPass({
    wallet: walletFor(server.url, { wait }),
    reference,
    everyMs: 5_000,
    ...(pollsMax !== undefined && { pollsMax }),
    clock: () => NOW,
    print: (event) => lines.push(...pollLines(event).map((line) => line.replace(/^\d{4}-\S+ {2}/, ""))),
    signal: stop.signal,
  });
  await server.close();
  return { end, lines, waits };
}

const refusing = (status: number, headers: Record<string, string>): PassAnswer => ({
  status,
  headers,
  body: "",
});

describe("polling", () => {
  test("shows the pass once, then only what changes, asking with the tag of the last answer", async () => {
    const onWait: Scene["onWait"] = (waits, state) => {
      if (waits === 2) state.version = 2;
    };
    const { end, lines, waits } = await poll({ pollsMax: 4, onWait });
    expect(lines).toEqual([
      "200  the pass",
      '  + partner_reference: "ref-1"',
      "  + version: 1",
      "304  unchanged",
      "200  changed",
      "    version: 1 -> 2",
      "304  unchanged",
    ]);
    expect([end, waits]).toEqual(["enough polls", [5_000, 5_000, 5_000]]);
  });

  test.each([
    ["410", REFERENCES.gone],
    ["404", "nobody"],
  ])("stops for good after a %s", async (status, reference) => {
    expect(await poll({ reference })).toEqual({
      end: "pass is gone",
      lines: [`${status}  the pass is gone: the wallet service stops polling it`],
      waits: [],
    });
  });

  test("waits as long as a Retry-After says, whether shorter or longer than the schedule", async () => {
    const { lines, waits } = await poll({
      change: (asked, answer) =>
        [refusing(429, { "retry-after": "60" }), refusing(503, { "retry-after": "1" })][asked - 1] ?? answer,
      pollsMax: 3,
    });
    expect(waits).toEqual([60_000, 1_000]);
    expect(lines.slice(0, 3)).toEqual(["429  waiting 60 s", "503  waiting 1 s", "200  the pass"]);
  });

  test.each([
    ["0", 1_000, ""],
    ["2.5", 3_000, ", with Retry-After 2.5: a fraction"],
    ["86400", 86_400_000, ""],
    ["86401", 86_400_000, ", with Retry-After 86401: a day is the longest wait"],
    [
      "99999999999999",
      86_400_000,
      ", with Retry-After 99999999999999: more than nine digits; a day is the longest wait",
    ],
    [new Date(NOW + 7_000).toUTCString(), 7_000, ""],
    [new Date(NOW - 7_000).toUTCString(), 1_000, ""],
    [new Date(NOW + 90_000_000).toUTCString(), 86_400_000, ", with Retry-After: a day is the longest wait"],
    ["soon", 5_000, ", with Retry-After: neither whole seconds nor a date of HTTP"],
    [TOKENS.good, 5_000, ", with Retry-After: neither whole seconds nor a date of HTTP"],
  ])("takes a Retry-After of %s for %d ms, and says why%s", async (retryAfter, waitMs, remark) => {
    const change = () => refusing(429, { "retry-after": retryAfter });
    const { lines, waits } = await poll({ change, pollsMax: 2 });
    expect([waits, lines[0]]).toEqual([[waitMs], `429  waiting ${waitMs / 1000} s${remark}`]);
  });

  test("escapes what a terminal would act on, and masks a token that comes back", async () => {
    const body = `{"a\u009b2J":"\u202egnp \u2028 ${TOKENS.good}"}`;
    const { lines } = await poll({ change: (_, answer) => ({ ...answer, body }), pollsMax: 1 });
    expect(lines.join("")).toContain("\\u{9b}2J");
    expect(lines.join("")).toContain("(a token of yours)");
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  test("ends when it is told to, and with it a request that is under way", async () => {
    expect(await poll({ onWait: (_, __, stop) => stop.abort() })).toMatchObject({ end: "stopped" });
    const stop = new AbortController();
    const { signal } = stop;
    const server = createServer(() => stop.abort());
    const wallet = walletFor(`http://127.0.0.1:${await listenOnLoopback(server)}`, { signal });
    const lines: string[] = [];
    const print = ({ text }: { readonly text: string }): unknown => lines.push(text);
    const end = await pollPass({ wallet, reference: "r", everyMs: 5_000, clock: () => NOW, print, signal });
    expect([end, lines]).toEqual(["stopped", []]);
    server.closeAllConnections();
    server.close();
  });

  test.each([400, 401, 403, 409, 500])(
    "goes on after a %d: the contract ends it at 404 and 410 only",
    async (status) => {
      const change: Scene["change"] = (asked, answer) =>
        asked === 2 ? { ...answer, status, body: "" } : answer;
      const { lines, waits } = await poll({ change, pollsMax: 3 });
      expect(lines.slice(-2)).toEqual([`${status}  trying again at the next poll`, "304  unchanged"]);
      expect(waits).toEqual([5_000, 5_000]);
    },
  );

  test.each([
    ["\ufeff{}", "it begins with a byte order mark, which JSON must not have"],
    ["<html>", "it cannot be read (the document must be one JSON text"],
  ])(
    "says why a first pass cannot be read, and of the same one again that it is the same: %j",
    async (body, why) => {
      const change = () => ({ status: 200, headers: { etag: '"a"' }, body });
      const { lines } = await poll({ change, pollsMax: 2 });
      expect([lines[0], lines[2]]).toEqual(["200  the pass", "200  the same pass again"]);
      expect(lines[1]).toContain(`  the pass cannot be shown: ${why}`);
    },
  );

  test.each([
    [0, "304  although no tag was sent, so the pass is not known"],
    [1, "304  unchanged"],
  ])("calls a 304 unchanged only where a pass is known, after %d answers with a tag", async (tags, line) => {
    const change: Scene["change"] = (asked, answer) => (asked > tags ? refusing(304, {}) : answer);
    expect((await poll({ change, pollsMax: tags + 1 })).lines.at(-1)).toBe(line);
  });

  test("goes on after a switch to another protocol, which is not an answer", async () => {
    const left = ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"];
    const { lines } = await poll({ breach: { early: () => left.pop() ?? "" }, pollsMax: 2 });
    const none = "no answer (101 Switching Protocols, which was not asked for)";
    expect(lines.slice(0, 2)).toEqual([none, "200  the pass"]);
  });
});

test("a change is described by paths, with the digits of numbers", () => {
  const before = '{"a":{"b":1.50,"c":[1,2]},"gone":true}';
  const after = '{"a":{"b":1.5,"c":[1]},"new":null}';
  expect(describeChange(before, after)).toEqual([
    "    a.b: 1.50 -> 1.5",
    "  - a.c[1]: 2",
    "  - gone: true",
    "  + new: null",
  ]);
  expect(describeChange(before, before)).toEqual([]);
  expect(describeChange(before, "<html>")).toEqual([
    expect.stringMatching(/^ {2}the pass changed, but cannot be compared: it cannot be read /),
  ]);
  expect(describeChange("\ufeff{}", after)).toEqual([
    "  the pass changed, but cannot be compared: the one before begins with a byte order mark, which JSON must not have",
  ]);
});

test.each([
  ['{"a":1}', '{"a":1,"actions":[]}', ["  + actions: []"]],
  ['{"a":{}}', '{"a":[]}', ["    a: {} -> []"]],
  ['{"a":1,"semantics":{}}', '{"a":1}', ["  - semantics: {}"]],
  ['{"a":[]}', '{"a":[7]}', ["  + a[0]: 7"]],
  ['{"a":{"b":7}}', '{"a":{}}', ["  - a.b: 7"]],
  ['{"a":[[]]}', '{"a":[[],{}]}', ["  + a[1]: {}"]],
  ['{"a":null}', '{"a":{}}', ["    a: null -> {}"]],
  ['{"a":"[]"}', '{"a":["x"]}', ['  - a: "[]"', '  + a[0]: "x"']],
  ["{}", "[]", ["    the document: {} -> []"]],
  // Shown names may be shortened, but the members are still told apart.
  [
    `{"${"n".repeat(64)}1":1,"${"n".repeat(64)}2":2}`,
    `{"${"n".repeat(64)}1":3,"${"n".repeat(64)}2":2}`,
    [`    ${"n".repeat(64)}: 1 -> 3`],
  ],
])("every change is described: %s to %s", (before, after, lines) => {
  expect(describeChange(before, after)).toEqual(lines);
});
