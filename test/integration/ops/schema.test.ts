import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { readMessage } from "../../../lib/ingest/message.ts";
import { marketOf } from "../../../lib/markets/market.ts";
import { checkMarket } from "../../../lib/markets/market-document.ts";
import { checkPass } from "../../../lib/passes/pass.ts";
import { checkSellOrder } from "../../../lib/sell-orders/sell-order.ts";
import { tradeDocumentReader } from "../../../lib/trades/trade-document.ts";
import { checkTransaction } from "../../../lib/transactions/transaction.ts";
import { PrintIds } from "../../../ops/import/trades/print-ids.ts";
import { type ImportKindName, importKind, importKindNames } from "../../../ops/schema/import-kinds.ts";
import { newValidator } from "../../support/answer-check.ts";
import { cases } from "../../support/cases.ts";
import { heldStore } from "../../support/held-store.ts";
import { countsOf, failing, runOperator } from "../../support/operator.ts";

const market = marketOf("BTC-USD");
const readTrade = (text: string) =>
  tradeDocumentReader({ symbol: "BTC-USD", market, venue: contractBrand.venue, ids: new PrintIds() })(text);

/** What an import takes, by kind. */
const checks: Readonly<
  Record<ImportKindName, (text: string) => { ok: true } | { ok: false; reason: string }>
> = {
  transactions: (text) => checkTransaction(contractBrand, "business-1", text),
  "sell-orders": (text) => checkSellOrder(contractBrand, "partner-1", text),
  passes: checkPass,
  trades: readTrade,
  markets: checkMarket,
};

/** What an import says where the schema has no rule, and words of the rule that the command names. */
const BEYOND: readonly (readonly [reason: RegExp, rule: RegExp])[] = [
  [/completed_at (?:is required|must be left out)/, /`completed_at` is there/],
  [/merchant must be left out/, /`merchant` is there only/],
  [/account_type must be one of/, /`counterparty.account_type` is/],
  [/^payment must be/, /`payment` is/],
  [/legs must have one leg: two/, /Two legs are only/],
  [/card.card_number must be masked/, /`card.card_number` is masked/],
  [/must differ from the names before it/, /names in `card.references` differ/],
  [/must be a date and time of 1970|must be a date, or a date and time/, /instant exists in the calendar/],
  [/within the range of a double/, /range of a double/],
  [/nested deeper than/, /nests 16 levels/],
  [/must be well-formed Unicode/, /is UTF-8/],
  [/must be whole epoch milliseconds/, /`tdt` and `pdt` are written in digits only/],
  [/must be "[^"]*", as everywhere in this market/, /may be left out; given, they are those/],
  [/[pq] must have 38 digits at most/, /has 38 digits at most/],
  [/tid must be/, /`tid` as a number/],
  [/and neither \. nor \.\.$/, /neither `\.` nor `\.\.`/],
  [/version must be a whole number/, /`version` is written in digits only/],
];

const isRule = (reason: string, rules: readonly string[]): boolean =>
  reason
    .split("; ")
    .every((one) => BEYOND.some(([said, rule]) => said.test(one) && rules.some((named) => rule.test(named))));

/** Every member of a document, as the steps that lead to it. */
const pathsOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...pathsOf(inner, [...path, name])]);

/** The document with another value at a path, or without the member there. */
function changed(document: object, path: readonly string[], value: unknown): object {
  const copy = structuredClone(document) as Record<string, unknown>;
  const holder = path.slice(0, -1).reduce((at, step) => at[step] as Record<string, unknown>, copy);
  const name = path.at(-1) ?? "";
  if (value === undefined && !Array.isArray(holder)) delete holder[name];
  else holder[name] = value ?? null;
  return copy;
}

const words = fc.oneof(
  fc.string(),
  fc.integer({ min: -5, max: 3_000 }).map(String),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    "transfer",
    "completed",
    "reverted",
    "FAILED",
    "COMPLETED",
    "2026-11-20",
    "0.10",
    "EUR",
    "GB",
    "sell",
  ),
  fc.constantFrom("2026-02-30T00:00:00Z", "4111111111111111", "1".repeat(39), "A_B", "+441632960000", "."),
);
const values = fc.oneof(
  words,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1, max: 2_000_000_000_000 }),
  fc.jsonValue(),
  fc.constant(undefined),
);

/** A value that an import takes for none. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (typeof value === "object" && Object.values(value).every(isEmpty));

describe("schema", () => {
  test("shows an example of a market that its own schema and the check of messages take", async () => {
    const { stdout } = await runOperator(["schema", "markets", "--example"]);
    expect(checkMarket(stdout)).toMatchObject({ ok: true });
    expect(newValidator().compile(importKind("markets").schema)(JSON.parse(stdout))).toBe(true);
  });

  test.each(importKindNames.filter((name) => name !== "markets"))(
    "shows an example of %s that its own schema and an import take",
    async (name) => {
      await using store = await heldStore();
      const { data } = store;
      const { stdout: example } = await runOperator(["schema", name, "--example"]);
      const { stdout: schema } = await runOperator(["schema", name, "--json"]);
      expect(JSON.parse(schema)).toEqual(JSON.parse(JSON.stringify(importKind(name).schema)));
      expect(newValidator().compile(JSON.parse(schema))(JSON.parse(example))).toBe(true);
      const file = join(store.path, "example.ndjson");
      await writeFile(file, example);
      const isOwned = name === "transactions" || name === "sell-orders";
      const command = importKind(name).command.split(" ");
      const run = await runOperator([...command, file, ...(isOwned ? ["--new"] : []), "--data", data]);
      expect([run.code, countsOf(run)]).toEqual([0, expect.objectContaining({ written: 1, lines: 1 })]);
    },
  );

  test.each(importKindNames)(
    "and an import of %s agree on a changed member, but for the rules that the command names",
    (name) => {
      const { schema, example, rules } = importKind(name);
      const validate = newValidator().compile(schema);
      const document = JSON.parse(example) as object;
      const seen = { both: 0, neither: 0, beyond: 0 };
      fc.assert(
        fc.property(fc.constantFrom(...pathsOf(document)), values, (path, value) => {
          const text = JSON.stringify(changed(document, path, value));
          const checked = checks[name](text);
          const isValid = validate(JSON.parse(text));
          if (checked.ok && isValid) seen.both += 1;
          else if (!checked.ok && !isValid) seen.neither += 1;
          else if (!checked.ok) {
            seen.beyond += 1;
            expect(isRule(checked.reason, rules), `${text}: ${checked.reason}`).toBe(true);
          } else expect(isEmpty(value), text).toBe(true);
        }),
        { numRuns: cases(1_000) },
      );
      expect(Math.min(seen.both, seen.neither)).toBeGreaterThan(50);
    },
  );

  test.each(importKindNames)(
    "shows each member of %s with what it means, an example and the rules",
    async (name) => {
      const { code, stdout } = await runOperator(["schema", name]);
      const { schema, example, rules } = importKind(name);
      expect(code).toBe(0);
      for (const member of Object.keys(schema.properties ?? {}))
        expect(stdout).toMatch(new RegExp(`^${member} +`, "m"));
      expect(stdout).toContain(example);
      expect(stdout.match(/^- /gm)).toHaveLength(rules.length);
    },
  );

  test.each(importKindNames)(
    "shows the body of a message with %s, which the queue's function reads",
    async (name) => {
      const body = (await runOperator(["schema", name, "--message", "--example"])).stdout.trim();
      const validate = newValidator().compile(
        JSON.parse((await runOperator(["schema", name, "--message", "--json"])).stdout),
      );
      expect(readMessage(body)).toMatchObject({ ok: true, message: { records: [importKind(name).example] } });
      const { record, ...head } = JSON.parse(body);
      for (const [message, isRight] of [
        [{ ...head, record }, true],
        [{ ...head, records: [record, record] }, true],
        [{ ...head, record, records: [record] }, false],
        [{ ...head, records: [] }, false],
        [head, false],
        [{ ...head, record, kind: "refund" }, false],
        [{ ...head, record, other: 1 }, false],
      ] as const) {
        expect([validate(message), readMessage(JSON.stringify(message)).ok], JSON.stringify(message)).toEqual(
          [isRight, isRight],
        );
      }
    },
  );

  test("of another kind is refused with the kinds that there are", async () => {
    expect(await runOperator(["schema", "refunds"])).toMatchObject(
      failing("transactions, sell-orders, passes, trades, markets"),
    );
  });
});
