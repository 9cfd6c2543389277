import { expect, test } from "vitest";
import { systemClock } from "../../../../lib/clock.ts";
import { type InterfaceName, interfaceNames } from "../../../../ops/check-client/scene.ts";
import type { ScriptedService } from "../../../../ops/check-client/scripted-service.ts";
import { checkTomorrow } from "../../../../ops/check-client/tomorrow.ts";
import {
  CheckedClient,
  goodHabits,
  type Habits,
  refuses,
  startServiceFor,
} from "../../../support/checked-client.ts";
import { clientPrograms } from "../../../support/client-program.ts";

/** Does what a client does in one run, and returns its exit code. */
type Client = (service: ScriptedService, show: (text: string) => void) => Promise<number | undefined>;

/** The findings on a client, those of each verdict as `id: seen` too, and its requests. */
async function check(name: InterfaceName, client: Client) {
  await using service = await startServiceFor(name);
  const { findings, fault } = await checkTomorrow({
    service,
    start: async (changes) => {
      const run = service.beginRun(changes);
      let printed = "";
      const code = await client(service, (text) => {
        printed += `${text}\n`;
      });
      const end = { run, endedMs: systemClock(), ...(code !== undefined && { code }) };
      return { end, printed, complaint: code === 1 ? "Error: a strange answer" : "" };
    },
    copy: async () => service.understood,
    stop: new AbortController().signal,
    tell: () => {},
  });
  const shortly = (wanted: string) =>
    findings.filter(({ verdict }) => verdict === wanted).map(({ id, seen }) => `${id}: ${seen}`);
  return {
    broken: shortly("fail"),
    unmet: shortly("not checked"),
    borne: shortly("pass"),
    findings,
    fault,
    visits: service.visits,
  };
}

/** A client of certain habits, whose waits cost no time. */
const withHabits =
  (name: InterfaceName, habits: Partial<Habits>): Client =>
  async (service, show) => {
    const world = { now: systemClock, wait: () => {} };
    const client = new CheckedClient(service, world, { ...goodHabits, ...habits });
    const code = await client.run(name);
    show(client.output);
    return code;
  };

/** What no record of the check can show. */
const UNMET: Readonly<Record<InterfaceName, readonly string[]>> = {
  exchange: [],
  business: ["get-transaction/past-sunset/unmet: no answer could show: the `Sunset` is past"],
  ramp: [],
  passes: [],
};

test.each(interfaceNames)("a tolerant client of the interface %s bears all that may come", async (name) => {
  const { broken, borne, unmet, fault } = await check(name, async ({ variables }, show) => {
    await clientPrograms[name]?.(variables, (record) => show(JSON.stringify(record)));
    return 0;
  });
  expect([broken, fault]).toEqual([[], undefined]);
  expect(borne.length).toBeGreaterThan(0);
  expect(unmet.sort()).toEqual(UNMET[name]);
});

/** Habits that depend on whether the client has met a page with this in its body. */
function once(pattern: RegExp, habits: (hasMet: () => boolean) => Partial<Habits>): Partial<Habits> {
  let hasMet = false;
  const judge = (body: string): void => {
    hasMet = pattern.test(body);
  };
  return { judge, ...habits(() => hasMet) };
}

const ENDED = "it ended with 1 after request N: Error: a strange answer";

/** Clients that break in one way, and the scenes that are found to break them. */
const fragile: readonly [what: string, InterfaceName, Partial<Habits>, found: Record<string, string>][] = [
  [
    "refuses a new word",
    "exchange",
    refuses(/"s":"added_later"/),
    { "list-trades/new-word/data[].s": ENDED },
  ],
  [
    "stops its listing at a new word",
    "exchange",
    once(/"s":"added_later"/, (hasMet) => ({ isEnd: (_, next) => hasMet() || next === undefined })),
    { "list-trades/new-word/data[].s": "it stopped after request N, before the end of what it reads" },
  ],
  [
    "drops records with a new word",
    "business",
    once(/"state":"added_later"/, (hasMet) => ({ copy: (records) => (hasMet() ? [] : records) })),
    { "list-transactions/new-word/state": "ID of request N is not in what it showed" },
  ],
  [
    "refuses a new member",
    "exchange",
    refuses(/"metadata":\{"added_later"/),
    { "list-trades/new-member/metadata": ENDED },
  ],
  [
    "reads an optional member",
    "business",
    refuses(/"account_type":"external"\}/),
    {
      "list-transactions/absent-member/legs[].counterparty.id": ENDED,
      "get-transaction/absent-member/legs[].counterparty.id": ENDED,
    },
  ],
  [
    "reads the reference of transfers, and the reason of what was declined",
    "business",
    refuses(/"type":"transfer"(?:(?!"reference").)*"legs"|"state":"declined","created_at"/),
    {
      "list-transactions/absent-member/reason_code": ENDED,
      "list-transactions/absent-member/reference": ENDED,
      "get-transaction/absent-member/reference": ENDED,
    },
  ],
  [
    "reads the reason of a failed order, and only words that it knows",
    "ramp",
    refuses(/"FAILED",(?!"fail_reason":"[A-Z]+D")|"fail_reason":"ADDED_LATER"/),
    {
      "get-sell-order/absent-member/fail_reason": ENDED,
      "get-sell-order/new-word/fail_reason": ENDED,
    },
  ],
  [
    "reads an optional member where there is the one beside it",
    "ramp",
    refuses(/"wallet":(?!.*"transaction_hash":)/),
    { "get-sell-order/absent-member/transaction_hash": ENDED },
  ],
  [
    "reads either of two optional members",
    "ramp",
    refuses(/"COMPLETED",(?!.*"(?:wallet|transaction_hash)")/),
    { "get-sell-order/absent-member/wallet, transaction_hash": ENDED },
  ],
  [
    "cuts ids off",
    "business",
    { copy: (records) => records.map(({ id, amounts }) => ({ id: id.slice(0, 64), amounts })) },
    { "list-transactions/longest-id/id": "ID of request N is not in what it showed" },
  ],
  [
    "takes amounts for doubles",
    "exchange",
    { digits: (amount) => String(Number(amount)) },
    {
      "list-trades/longest-amount/data[].p": "AMOUNT of request N became AMOUNT",
      "list-trades/longest-amount/data[].q": "AMOUNT of request N became AMOUNT",
    },
  ],
  [
    "keeps amounts with 18 decimals",
    "exchange",
    { digits: (amount) => amount.padEnd(amount.indexOf(".") + 19, "0").slice(0, amount.indexOf(".") + 19) },
    {
      "list-trades/longest-amount/data[].p": "AMOUNT of request N became AMOUNT",
      "list-trades/longest-amount/data[].q": "AMOUNT of request N became AMOUNT",
    },
  ],
  [
    "takes an empty page for the end",
    "business",
    { isEnd: (records, next) => records === 0 || next === undefined },
    {
      "list-transactions/empty-page/empty-page":
        "it stopped after request N, before the end of what it reads",
    },
  ],
  [
    "looks up by request ids",
    "business",
    { query: (query) => (query === "" ? "id_type=request_id" : query) },
    { "get-transaction/past-sunset/past-sunset": ENDED },
  ],
];

test.each(fragile)("a client that %s is found to break at just that (%s)", async (_, name, habits, found) => {
  const { broken, fault } = await check(name, withHabits(name, habits));
  const shortly = broken.map((text) =>
    text
      .replaceAll(/request \d+/g, "request N")
      .replace(/ tx-\S+/, " ID")
      .replaceAll(/ \d+\.\d+/g, " AMOUNT"),
  );
  expect([fault, shortly]).toEqual([undefined, Object.entries(found).map(([id, seen]) => `${id}: ${seen}`)]);
});

test.each([
  ["is refused, whatever it makes of that", 0, "request N was refused (invalid_credentials)"],
  ["does not end", undefined, "it had to be ended after request N"],
])("a client that %s is broken", async (_, code, found) => {
  const { broken } = await check("ramp", async ({ baseUrl, variables }) => {
    const ask = async (key = "") => {
      const url = `${baseUrl}/sell-orders/${variables.ORDER_ID}`;
      return await (await fetch(url, { headers: { "X-API-KEY": key } })).text();
    };
    if (!(await ask(variables.RAMP_API_KEY)).includes('"status":"ADDED_LATER"')) return 0;
    if (code === 0) await ask("another key");
    return code;
  });
  const shortly = broken.map((text) => text.replace(/request \d+/, "request N"));
  expect(shortly).toEqual([`get-sell-order/new-word/status: ${found}`]);
});

test("a long id or amount that the client does not show today is not checked", async () => {
  const amountOnly = {
    copy: (all: readonly { readonly amounts: readonly string[] }[]) =>
      all.map(({ amounts }) => ({ id: "", amounts: amounts.slice(0, 1) })),
  };
  const { broken, borne, unmet } = await check("business", withHabits("business", amountOnly));
  const longest = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith("list-transactions/longest"));
  expect(broken).toEqual([]);
  expect(longest(borne)).toEqual(["list-transactions/longest-amount: legs[].amount"]);
  expect(longest(unmet)).toEqual([
    expect.stringMatching(/unshown: the client showed no id, request_id, .*card\.id today: print them/),
    expect.stringMatching(
      /unshown: the client showed no legs\[\]\.fee, .*legs\[\]\.balance today: print them/,
    ),
  ]);
});

test("what a client kept in one run counts in no later one", async () => {
  const { broken } = await check("ramp", async (service) => {
    const { BASE_URL, ORDER_ID, RAMP_API_KEY } = service.variables as Record<string, string>;
    const headers = { "x-api-key": String(RAMP_API_KEY) };
    const answer = await fetch(`${BASE_URL}/sell-orders/${ORDER_ID}`, { headers });
    const { id, status } = (await answer.json()) as Record<string, string>;
    if (status !== "ADDED_LATER") service.understood += `${id}\n`;
    return 0;
  });
  expect(broken).toEqual([expect.stringContaining("get-sell-order/new-word/status: ")]);
});

test("a finding names the scene, the last request before the client broke, and what to do instead", async () => {
  const { findings, visits } = await check("exchange", withHabits("exchange", refuses(/"s":"added_later"/)));
  const last = visits.findLast(({ step }) => step?.scene.changes?.[0]?.kind === "new-word");
  expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([
    {
      id: "list-trades/new-word/data[].s",
      level: "contract",
      rule: "list-trades: a new word in `data[].s`",
      expected: "the client goes on as today",
      seen: `it ended with 1 after request ${last?.number}: Error: a strange answer`,
      verdict: "fail",
      why: expect.any(String),
      advice: expect.stringMatching(/^Keep a record with a word that you do not know/),
    },
  ]);
});

test("nothing is claimed of a client that fails where nothing is changed", async () => {
  const { findings, fault } = await check("ramp", withHabits("ramp", refuses(/COMPLETED/)));
  expect([findings, fault]).toEqual([
    [],
    "The client fails where nothing is changed: it ended with 1 after request 1: Error: a strange answer. Check it without --tomorrow first.",
  ]);
});
