import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TransactionQuery } from "../../../../client/src/index.ts";
import { microsKey, parseDateOrInstant } from "../../../../lib/instant.ts";
import type { Connection } from "../../../../ops/get/connection.ts";
import { onOneLine, prettyJson } from "../../../../ops/get/json-text.ts";
import { type Page, readerOf } from "../../../../ops/get/readers.ts";

const TO = "2026-11-02T00:00:00Z";
const signal = new AbortController().signal;

interface Made {
  readonly id: string;
  readonly created_at: string;
  readonly line: string;
}

/** Transactions of few instants, so that many have the same one. */
const transactions = fc
  .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 99 }), micros: fc.integer({ min: 0, max: 4 }) }), {
    selector: ({ id }) => id,
    maxLength: 25,
  })
  .map((drawn): Made[] =>
    drawn
      .sort((a, b) => b.micros - a.micros || b.id - a.id)
      .map(({ id, micros }) => {
        const record = { id: `tx-${id}`, created_at: `2026-11-01T23:59:59.00000${micros}Z` };
        return { ...record, line: `${JSON.stringify(record).slice(0, -1)},"legs":[{"amount":${id}.50}]}` };
      }),
  );

const keyOf = (text: string | Date | undefined): string => {
  const instant = parseDateOrInstant(String(text));
  if (instant === undefined) throw new Error(`${String(text)} is not an instant`);
  return microsKey(instant);
};

/** A client whose service lists transactions in pages of its own choice, as long as `pagesMax` allows. */
function connectionTo(all: readonly Made[], pageSize: number, pagesMax = Number.POSITIVE_INFINITY) {
  const recorder = { body: Promise.resolve("[]"), calls: 0 };
  async function* list({ to, count = 0 }: TransactionQuery) {
    const listed = all.filter((made) => keyOf(made.created_at) < keyOf(to));
    const size = Math.min(pageSize, count);
    for (let at = 0; at === 0 || at < listed.length; at += size) {
      if (recorder.calls === pagesMax) throw new Error("lost");
      recorder.calls += 1;
      const page = listed.slice(at, at + size);
      recorder.body = Promise.resolve(`[${page.map(({ line }) => line).join(",\n")}]`);
      yield* page.map(({ id, created_at }) => ({ id, created_at }));
    }
  }
  return { client: { business: { transactions: list } }, recorder } as unknown as Connection;
}

/** Reads until the end or the loss of the connection. */
async function readAll(connection: Connection, position: unknown, limit?: number) {
  const pages: Page[] = [];
  const reader = readerOf(connection, { get: "transactions", to: TO });
  try {
    for await (const page of reader.read({ position, limit, signal })) pages.push(page);
  } catch (error) {
    expect(error).toMatchObject({ message: "lost" });
  }
  return { pages, lines: pages.flatMap(({ records }) => records.map(({ line }) => line)) };
}

test("transactions are read once each, whatever interrupts the reading, also within an instant", () =>
  fc.assert(
    fc.asyncProperty(
      transactions,
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 5 }),
      async (all, pageSize, interruptions) => {
        const lines: string[] = [];
        let position: unknown;
        for (const pagesMax of [...interruptions, undefined]) {
          const { pages, lines: more } = await readAll(connectionTo(all, pageSize, pagesMax), position);
          lines.push(...more);
          // A position is kept as JSON.
          position = JSON.parse(JSON.stringify(pages.at(-1)?.position ?? position ?? null)) ?? undefined;
          if (pages.at(-1)?.isLast === true) break;
        }
        expect(lines).toEqual(all.map(({ line }) => line));
      },
    ),
  ));

test("only the last page says that nothing is left, and a limit ends the reading", () =>
  fc.assert(
    fc.asyncProperty(transactions, fc.integer({ min: 1, max: 30 }), async (all, limit) => {
      const { pages, lines } = await readAll(connectionTo(all, 3), undefined, limit);
      expect(lines).toEqual(all.slice(0, limit).map(({ line }) => line));
      expect(pages.map(({ isLast }) => isLast)).toEqual(pages.map((_, at) => at === pages.length - 1));
    }),
  ));

test("a document is put on one line, and is else as it was sent", () => {
  expect(onOneLine('\n{\n"a":33.80,\r\n"b":["\\n"]}\n')).toBe('{ "a":33.80, "b":["\\n"]}');
});

describe("a document for people", () => {
  test("has a line for each member, and its digits", () => {
    expect(prettyJson('{"amount":0.991438254750782685,"fee":33.80}')).toBe(
      '{\n  "amount": 0.991438254750782685,\n  "fee": 33.80\n}',
    );
  });

  test("stays as it is if it cannot be read", () => {
    expect(prettyJson('{"a":1,"a":2}')).toBe('{"a":1,"a":2}');
  });
});
