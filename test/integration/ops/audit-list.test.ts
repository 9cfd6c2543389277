import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { idOf } from "../../../bench/support/busy-trades.ts";
import { recordChange } from "../../../ops/audit/record-change.ts";
import { heldStore } from "../../support/held-store.ts";
import { failing, type OperatorRun, runOperator, temporaryDirectory } from "../../support/operator.ts";
import { withStore } from "../../support/with-store.ts";
import { sellOrder, transaction } from "./records.ts";

/** The stores that commands change, and that has changes of many months. */
const [changes, months, directory] = [await heldStore(), await heldStore(), await temporaryDirectory()];
afterAll(async () => {
  for (const one of [changes, months, directory]) await one[Symbol.asyncDispose]();
});

const dataIn = (name: string) => join(directory.path, name);
const linesOf = ({ stdout }: OperatorRun): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const IMPORT = { command: "import transactions", target: "transactions of acme" } as const;
const TRADE = JSON.stringify({ tdt: 1_795_554_000_000, p: "1.5", q: "2", tid: idOf(9), s: "buy" });

/** The commands that change records, with a file each, and what the audit has of it: newest first. */
const CHANGES: readonly (readonly [string, string, readonly object[]])[] = [
  [
    "import transactions FILE --business acme --new",
    transaction("tx-1"),
    [
      { ...IMPORT, outcome: "done", counts: { written: 1 } },
      { ...IMPORT, outcome: "begun" },
    ],
  ],
  [
    "import transactions FILE --business acme --correct --reason slip",
    transaction("tx-1"),
    [
      { outcome: "done", reason: "slip", counts: { written: 0, unchanged: 1 } },
      { outcome: "begun", reason: "slip" },
    ],
  ],
  [
    "import sell-orders FILE --partner acme --new",
    sellOrder("01ARZ3NDEKTSV4RRFFQ69G5FAV", "service"),
    [{ target: "sell-orders of acme", outcome: "done" }, { outcome: "begun" }],
  ],
  [
    "import passes FILE",
    '{"partner_reference":"demo-1","type":"loyalty_pass","version":1}\nnot a pass',
    [{ target: "passes", outcome: "done", counts: { written: 1, refused: 1 } }, { outcome: "begun" }],
  ],
  [
    "import trades FILE --market BTC-USD",
    TRADE,
    [{ target: "trades of BTC-USD", outcome: "done", counts: { written: 1 } }, { outcome: "begun" }],
  ],
  [
    "import trades FILE --market BTC-USD --withdraw",
    TRADE,
    [{ command: "import trades --withdraw", outcome: "done" }, { outcome: "begun" }],
  ],
  [
    "passes publish FILE --correct --reason wrong",
    '{"partner_reference":"demo-1","type":"loyalty_pass","version":2}',
    [{ command: "passes publish", target: "pass demo-1", reason: "wrong", outcome: "done" }],
  ],
  ["passes void demo-1 --yes", "", [{ command: "passes void", target: "pass demo-1", outcome: "done" }]],
];

/** Commands that change nothing. */
const IN_VAIN: readonly (readonly [string, string])[] = [
  ["import passes FILE", ""],
  ["import transactions FILE --business nobody", transaction("tx-9")],
  ["passes publish FILE", "not a pass"],
  ["passes void demo-1 --yes", ""],
  ["passes void demo-1", ""],
  ["passes void nobody --yes", ""],
];

async function run(words: string, text: string): Promise<OperatorRun> {
  const file = join(directory.path, "given.file");
  await writeFile(file, text);
  const args = words.split(" ").map((word) => (word === "FILE" ? file : word));
  return await runOperator([...args, "--data", changes.data]);
}

describe("a store that commands change", () => {
  let known = 0;
  const newLines = async () => {
    const lines = linesOf(await runOperator(["audit", "list", "--json", "--data", changes.data]));
    const added = lines.slice(0, lines.length - known);
    known = lines.length;
    return added;
  };

  test.each(CHANGES)("has the audit of `%s`", async (words, text, expected) => {
    const { code } = await run(words, text);
    expect(code).toBe(words === "import passes FILE" ? 1 : 0);
    const lines = await newLines();
    expect(lines).toMatchObject(expected);
    if (lines.length === 2) expect(lines[0]?.began).toBe(lines[1]?.id);
    // Nothing of a record is in a line.
    const said = lines.map(({ actor, command, target, reason }) => [actor, command, target, reason]);
    expect(JSON.stringify(said)).not.toMatch(/loyalty|12\.3|1\.5/);
  });

  test.each(IN_VAIN)("has no line of `%s`, which changes nothing", async (words, text) => {
    await run(words, text);
    expect(await newLines()).toEqual([]);
  });
});

describe("audit list", () => {
  const data = () => months.data;
  const list = (...words: string[]) => runOperator(["audit", "list", "--data", data(), ...words]);
  const DAY_MS = 86_400_000;
  const NOW = Date.parse("2027-01-02T12:00:00Z");
  const AGES_DAYS = [0, 1, 6, 8, 40, 400];

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await withStore({ data: data() }, async (store) => {
      for (const [at, days] of AGES_DAYS.entries()) {
        vi.setSystemTime(NOW - days * DAY_MS);
        const command = at % 2 === 0 ? "keys revoke" : "passes void";
        await recordChange(store, { command, target: `number ${days}`, reason: `It was ${days} days ago.` });
      }
    });
    vi.setSystemTime(NOW);
  });
  afterAll(() => vi.useRealTimers());

  const targetsOf = async (...words: string[]) =>
    linesOf(await list("--json", ...words)).map(({ target }) => Number(String(target).split(" ")[1]));

  test.each([
    ["", [0, 1, 6]],
    ["--since=23h", [0]],
    ["--since=9d", [0, 1, 6, 8]],
    ["--since=10w", [0, 1, 6, 8, 40]],
    // The audit itself is younger than 400 days.
    ["--since=2020-01-01", [0, 1, 6, 8, 40]],
    ["--since=2027-01-02T12:00:00Z", [0]],
    ["--since=2027-01-02T12:00:01Z", []],
    ["--since=10w --command=keys", [0, 6, 40]],
    ["--since=10w --command=keys revoke", [0, 6, 40]],
    ["--since=10w --command=key", []],
  ])("with `%s` lists what it is asked for, across months, the newest first", async (options, days) => {
    expect(await targetsOf(...options.split(/ (?=--)/).filter(Boolean))).toEqual(days);
  });

  test("is a table for people", async () => {
    const { code, stdout } = await list("--since", "2d");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^WHEN +ACTOR +COMMAND +TARGET +OUTCOME +REMARKS\n2027-01-02T12:00:00Z +local:\S+ +keys revoke +number 0 +done +It was 0 days ago\.\n.*1 days ago\.\n$/,
    );
  });

  test("says so where nothing was changed, and where there is no store", async () => {
    expect(await list("--since", "1m", "--command", "nothing")).toMatchObject({
      code: 0,
      stdout: "No change was recorded since 2027-01-02T11:59:00.000Z. --since 4w looks further back.\n",
    });
    expect(await runOperator(["audit", "list", "--json", "--data", dataIn("nowhere")])).toMatchObject(
      failing(/^There is no store in /),
    );
  });

  test.each(["7", "7y", "0d", "yesterday", ""])("refuses the time %j", async (since) => {
    const { code, stderr } = await list("--since", since);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "Give a length of time back from now such as 12h, 7d or 4w, a date, or an instant.",
    );
  });
});
