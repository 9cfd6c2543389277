import { describe, expect, test } from "vitest";
import {
  Countinghouse,
  type FollowSinceOptions,
  type FollowSource,
  TransactionFollow,
} from "../../../client/src/index.ts";
import { transactionText } from "../../support/documents.ts";
import { errorBody, SCRIPT_BEGINS_MS, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

const DAY_MS = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const page = (...records: object[]): Scripted => ({
  body: `[${records.map((record) => transactionText({ ...record })).join(",")}]`,
});

/** Follows until the script ends. */
async function follow(answers: readonly Scripted[], options: FollowSinceOptions = {}) {
  const { sent, options: platform } = scriptServer(answers);
  const client = new Countinghouse({
    ...platform,
    business: { accessToken: "token-1" },
    retry: { attemptsMax: 1 },
  });
  const changes = client.business.follow({ since: 0, ...options });
  const given: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const { id, state } of changes) given.push(`${id} ${state}`);
  };
  await expect(reading()).rejects.toThrow("The script has no answer left");
  const asked = sent.map(
    ({ url, atMs }) =>
      `${(atMs - SCRIPT_BEGINS_MS) / 1000} ${new URL(url).pathname.slice(6)}${decodeURIComponent(new URL(url).search)}`,
  );
  return { given, asked: asked.slice(0, -1), changes };
}

/** Records that change no more, of these instants. */
const finalRecords = (count: number, msOf: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ id: `tx-${at}`, state: "failed", updated_at: iso(msOf(at)) }));
/** For a follow that needs no record by itself. */
const get = (): Promise<never> => Promise.reject(new Error("Nothing is open."));

const open = { id: "open", created_at: iso(0), updated_at: iso(DAY_MS) };

describe("a follow", () => {
  test("reads what is new and what is open every five seconds, and one by one what left the open ones", async () => {
    const moved = { ...open, state: "completed", completed_at: iso(DAY_MS), updated_at: iso(2 * DAY_MS) };
    // An open one is remembered, however much older it is than the newest.
    const newest = { id: "newest", state: "failed", updated_at: iso(30 * DAY_MS) };
    const answers = [page(newest, open), page(), page(), { body: transactionText(moved) }, page(), page()];
    const { given, asked } = await follow(answers);
    expect(given).toEqual(["open pending", "newest failed", "open completed"]);
    const from = iso(SCRIPT_BEGINS_MS - 3_600_000);
    expect(asked).toEqual([
      "0 transactions?count=1000",
      `5 transactions?from=${from}&count=1000`,
      `5 transactions?to=${from}&state=created&state=pending&count=1000`,
      "5 transaction/open",
      `10 transactions?from=${iso(SCRIPT_BEGINS_MS + 5_000 - 3_600_000)}&count=1000`,
      `10 transactions?to=${iso(SCRIPT_BEGINS_MS + 5_000 - 3_600_000)}&state=created&state=pending&count=1000`,
    ]);
  });

  test("reads everything again after a minute for each 1,000", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => ({ id: `tx-${at}`, state: "failed" }));
    const { asked } = await follow([page(...many), page(), page(), page()], { everyMs: 60_000 });
    expect(asked).toHaveLength(4);
    expect(asked.at(-1)).toBe("120 transactions?count=1000");
  });

  test("never goes back to a version that a list still has", async () => {
    const [third, second] = [3, 2].map((day) => ({ ...open, updated_at: iso(day * DAY_MS) }));
    const answers = [
      page(open),
      page({ ...third, state: "completed" }),
      page({ ...second }),
      page(open),
      page(),
    ];
    expect((await follow(answers)).given).toEqual(["open pending", "open completed"]);
  });

  test("ends at an abort between two changes, and after a break another loop goes on with the next", async () => {
    const stop = new AbortController();
    const list = async function* () {
      for (const day of [3, 2, 1]) yield { id: `tx-${day}`, state: "failed", updated_at: iso(day * DAY_MS) };
    };
    const platform = { now: () => SCRIPT_BEGINS_MS, sleep: async () => {} };
    const changes = new TransactionFollow({ list, get }, platform, { since: 0, signal: stop.signal });
    const given: string[] = [];
    const read = async (then: "break" | "abort"): Promise<void> => {
      for await (const { id } of changes) {
        given.push(id);
        if (then === "break") break;
        stop.abort();
      }
    };
    await read("break");
    await expect(read("abort")).rejects.toThrow("abort");
    expect(given).toEqual(["tx-1", "tx-2"]);
  });

  test("lists what is new since the begin of the last look that gave all", async () => {
    let nowMs = SCRIPT_BEGINS_MS;
    const many = finalRecords(10_001, (at) => SCRIPT_BEGINS_MS + at);
    const stop = new AbortController();
    const listed: unknown[] = [];
    const source: FollowSource<(typeof many)[number]> = {
      list: async function* ({ from, to }) {
        if (to !== undefined) return;
        nowMs += 1_000;
        if (listed.push(from && Number(from) + 3_600_000 - SCRIPT_BEGINS_MS) === 4) stop.abort();
        if (from !== undefined) yield* many;
      },
      get,
    };
    const sleep = async (ms: number): Promise<void> => {
      nowMs += ms;
    };
    const changes = new TransactionFollow(source, { now: () => nowMs, sleep }, { signal: stop.signal });
    await expect(Array.fromAsync(changes)).rejects.toThrow("abort");
    // More than one look can give are given by two, before the rest of five seconds.
    expect(listed).toEqual([undefined, 0, 0, 7_000]);
    expect(Object.keys(changes.resume.seen)).toHaveLength(many.length);
  });

  test("takes a state that it does not know for one that may change", async () => {
    const unknown = { ...open, state: "added_later" };
    const known = { ...open, state: "completed", updated_at: iso(2 * DAY_MS) };
    const { given } = await follow([page(unknown), page(), page(), { body: transactionText(known) }]);
    expect(given).toEqual(["open added_later", "open completed"]);
  });

  test("ends at an instant that is none", async () => {
    const { options } = scriptServer([page({ ...open, updated_at: "soon" })]);
    const client = new Countinghouse({ ...options, business: { accessToken: "token-1" } });
    const first = client.business.follow()[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ code: "unexpected_answer" });
  });

  test("forgets an open record that was erased", async () => {
    const gone = { status: 404, body: errorBody("not_found") };
    const { given, asked, changes } = await follow([page(open), page(), page(), gone, page(), page()]);
    expect(given).toEqual(["open pending"]);
    expect(asked.filter((path) => path.endsWith("/open"))).toHaveLength(1);
    expect(changes.resume.seen).toEqual({});
  });

  test("begins with the changes of its first instant, to the microsecond, and follows what was open before", async () => {
    const before = { ...open, id: "before", updated_at: "2026-11-24T20:59:59.999999Z" };
    const moved = { ...before, updated_at: "2026-11-24T21:00:00.0000001+00:00" };
    const { given } = await follow(
      [
        page(
          { ...before, id: "first", state: "failed", updated_at: "2026-11-24T21:00:00Z" },
          { ...before, id: "old", state: "failed" },
          before,
        ),
        page(),
        page(),
        { body: transactionText(moved) },
      ],
      { since: "2026-11-24T21:00:00Z" },
    );
    expect(given).toEqual(["first failed", "before pending"]);
  });

  test.each([
    ["the last 15 days", 0, (15 * DAY_MS) / 600_000 + 1],
    ["100,000 versions", 100_000, 100_000],
  ])("remembers no more than %s, and gives in order whatever there is", async (_, newer, remembered) => {
    const version = `${String((SCRIPT_BEGINS_MS + 1) * 1_000).padStart(18, "0")}#2`;
    const seen = Object.fromEntries(Array.from({ length: newer }, (__, at) => [`newer-${at}`, version]));
    let [lists, rests] = [0, 0];
    // From the newest to the oldest, as the list is.
    const all = finalRecords(21_000, (at) => SCRIPT_BEGINS_MS - at * 600_000);
    const source: FollowSource<(typeof all)[number]> = {
      list: async function* () {
        lists += 1;
        yield* all;
      },
      get,
    };
    const stop = new AbortController();
    const sleep = async (): Promise<void> => {
      rests += 1;
      stop.abort();
    };
    const changes = new TransactionFollow(
      source,
      { now: () => SCRIPT_BEGINS_MS, sleep },
      { resume: { sinceMicros: 0, seen }, signal: stop.signal },
    );
    const given: string[] = [];
    await expect(async () => {
      for await (const { id } of changes) given.push(id);
    }).rejects.toThrow();
    expect(given).toEqual(all.map(({ id }) => id).toReversed());
    expect([lists, rests]).toEqual([3, 1]);
    expect(Object.keys(changes.resume.seen)).toHaveLength(remembered);
  });
});
