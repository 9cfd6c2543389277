import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { describeChange } from "../../../../ops/poll/describe-change.ts";
import { type PollEvent, pollLines, pollPass } from "../../../../ops/poll/poll-pass.ts";
import { Wallet } from "../../../../ops/wallet/wallet.ts";
import { NOW } from "../../../support/chain.ts";
import { asctimeText, rfc850Text } from "../../../support/http-dates.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";
import {
  type PassAnswer,
  REFERENCES,
  type ServerState,
  startPassServer,
  TOKENS,
  type Traits,
} from "../../../support/pass-server.ts";

interface Scene {
  readonly breach?: Traits;
  readonly reference?: string;
  readonly pollsMax?: number;
  /** Called at each wait, with its length. */
  readonly onWait?: (ms: number, state: ServerState, stop: AbortController) => void;
}

/** Polls a server of our own, whose state moves on while the poller waits. */
async function poll({ breach, reference = REFERENCES.current, pollsMax, onWait }: Scene) {
  const server = await startPassServer(breach);
  const stop = new AbortController();
  const lines: string[] = [];
  const events: PollEvent[] = [];
  const waits: number[] = [];
  const wallet = new Wallet({
    baseUrl: new URL(server.url),
    credentials: { token: TOKENS.good, tls: {} },
    version: "2026-07-01",
    versionHeader: contractBrand.versionHeader,
    clock: () => NOW,
    wait: async (ms) => {
      waits.push(ms);
      onWait?.(ms, server.state, stop);
    },
  });
  const end = await pollPass({
    wallet,
    reference,
    everyMs: 5_000,
    ...(pollsMax !== undefined && { pollsMax }),
    clock: () => NOW,
    print: (event) => {
      events.push(event);
      lines.push(...pollLines(event).map((line) => line.replace(/^\d{4}-\S+ {2}/, "")));
    },
    signal: stop.signal,
  });
  await server.close();
  return { end, lines, waits, events };
}

describe("polling", () => {
  test("shows the pass once, then only what changes, asking with the tag of the last answer", async () => {
    let waited = 0;
    const onWait: Scene["onWait"] = (_, state) => {
      waited += 1;
      if (waited === 2) state.version = 2;
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
    const { end, lines, waits } = await poll({ reference });
    expect(lines).toEqual([`${status}  the pass is gone: the wallet service stops polling it`]);
    expect([end, waits]).toEqual(["pass is gone", []]);
  });

  test("waits as long as a Retry-After says, whether shorter or longer than the schedule", async () => {
    let asked = 0;
    const change: Traits["change"] = (answer) => {
      asked += 1;
      if (asked > 2) return answer;
      return {
        status: asked === 1 ? 429 : 503,
        headers: { "retry-after": asked === 1 ? "60" : "1" },
        body: "",
      };
    };
    const { lines, waits } = await poll({ breach: { change }, pollsMax: 3 });
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
    [rfc850Text(NOW + 7_000), 7_000, ""],
    [asctimeText(NOW + 9_000), 9_000, ""],
  ])("takes a Retry-After of %s for %d ms, and says why%s", async (retryAfter, waitMs, remark) => {
    const change: Traits["change"] = () => ({
      status: 429,
      headers: { "retry-after": retryAfter },
      body: "",
    });
    const { lines, waits } = await poll({ breach: { change }, pollsMax: 2 });
    expect(waits).toEqual([waitMs]);
    expect(lines[0]).toBe(`429  waiting ${waitMs / 1000} s${remark}`);
  });

  test.each([
    ["behind", -90_000],
    ["ahead", 90_000],
  ])("waits by the server's own clock where that is %s", async (_, aheadMs) => {
    const headers = {
      date: new Date(NOW + aheadMs).toUTCString(),
      "retry-after": new Date(NOW + aheadMs + 7_000).toUTCString(),
    };
    const change: Traits["change"] = () => ({ status: 503, headers, body: "" });
    const { lines, waits } = await poll({ breach: { change }, pollsMax: 2 });
    expect([waits, lines[0]]).toEqual([[7_000], "503  waiting 7 s"]);
  });

  test("escapes what a terminal would act on, and masks a token that comes back", async () => {
    const nasty = `{"a\u009b2J":"\u202egnp \u2028 ${TOKENS.good}"}`;
    const change: Traits["change"] = (answer) => ({ ...answer, body: nasty });
    const { lines } = await poll({ breach: { change }, pollsMax: 1 });
    expect(lines.join("")).toContain("\\u{9b}2J");
    expect(lines.join("")).toContain("(a token of yours)");
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  test("ends a request that is under way when it is told to", async () => {
    const stop = new AbortController();
    const server = createServer(() => stop.abort());
    const port = await listenOnLoopback(server);
    const lines: string[] = [];
    const end = await pollPass({
      wallet: new Wallet({
        baseUrl: new URL(`http://127.0.0.1:${port}`),
        credentials: { tls: {} },
        version: "2026-07-01",
        versionHeader: contractBrand.versionHeader,
        clock: () => NOW,
        wait: async () => {},
        signal: stop.signal,
      }),
      reference: "r",
      everyMs: 5_000,
      clock: () => NOW,
      print: (event) => lines.push(event.text),
      signal: stop.signal,
    });
    expect([end, lines]).toEqual(["stopped", []]);
    server.closeAllConnections();
    server.close();
  });

  test.each([400, 401, 403, 409, 500])(
    "goes on after a %d: the contract ends it at 404 and 410 only",
    async (status) => {
      let asked = 0;
      const change: Traits["change"] = (answer) => {
        asked += 1;
        return asked === 2 ? { ...answer, status, body: "" } : answer;
      };
      const { lines, waits } = await poll({ breach: { change }, pollsMax: 3 });
      expect(lines.slice(-2)).toEqual([`${status}  trying again at the next poll`, "304  unchanged"]);
      expect(waits).toEqual([5_000, 5_000]);
    },
  );

  test("says of a first pass that cannot be read why, and of the same one again that it is the same", async () => {
    const unreadable = (body: string) => ({
      change: (answer: PassAnswer) => ({ ...answer, status: 200, headers: { etag: '"a"' }, body }),
    });
    const marked = await poll({ breach: unreadable('\ufeff{"a":1}'), pollsMax: 2 });
    expect(marked.lines).toEqual([
      "200  the pass",
      "  the pass cannot be shown: it begins with a byte order mark, which JSON must not have",
      "200  the same pass again",
    ]);
    const html = await poll({ breach: unreadable("<html>"), pollsMax: 1 });
    expect(html.lines[1]).toMatch(
      /^ {2}the pass cannot be shown: it cannot be read \(the document must be one JSON text/,
    );
  });

  test.each([
    [0, "304  although no tag was sent, so the pass is not known"],
    [1, "304  unchanged"],
  ])("calls a 304 unchanged only where a pass is known, after %d answers with a tag", async (tags, line) => {
    let asked = 0;
    const change: Traits["change"] = (answer) => {
      asked += 1;
      return asked > tags ? { status: 304, headers: {}, body: "" } : answer;
    };
    const { lines } = await poll({ breach: { change }, pollsMax: tags + 1 });
    expect(lines.at(-1)).toBe(line);
  });

  test("goes on after a switch to another protocol, which is not an answer", async () => {
    let asked = 0;
    const early = (): string => {
      asked += 1;
      return asked === 1
        ? "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
        : "";
    };
    const { lines } = await poll({ breach: { early }, pollsMax: 2 });
    expect(lines.slice(0, 2)).toEqual([
      "no answer (101 Switching Protocols, which was not asked for)",
      "200  the pass",
    ]);
  });

  test("ends when it is told to", async () => {
    const { end } = await poll({ onWait: (_, __, stop) => stop.abort() });
    expect(end).toBe("stopped");
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
