import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MESSAGE_BYTES_MAX, MESSAGE_RECORDS_MAX, readMessage } from "../../../../lib/ingest/message.ts";
import type { SqsQueue } from "../../../../local/queue/fauxqs.ts";
import { faultOf } from "../../../../local/queue/message-rules.ts";
import { groupOf, MessagePacker, type PackedMessage } from "../../../../ops/queue/pack-messages.ts";
import { batchesOf, bytesOf } from "../../../../ops/queue/send-batch.ts";
import { SentLines } from "../../../../ops/queue/send-records.ts";
import { cases } from "../../../support/cases.ts";

function packed(packer: MessagePacker, texts: readonly string[]): readonly PackedMessage[] {
  const full = texts.map((text, at) => packer.add(text, at + 1));
  return [...full, packer.finish()].filter((message) => message !== undefined);
}

const trade = { kind: "trade", owner: "BTC-USD", revision: 7 } as const;

describe("packed messages", () => {
  it("keep the contract and its limits, and bring every record once, in its order and to the letter", () => {
    const text = fc
      .oneof(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.constantFrom("\ufffe", "\uffff", "é", '"').map((one) => one.repeat(20_000)),
      )
      .map((value) => JSON.stringify({ value }));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), (texts) => {
        const messages = packed(new MessagePacker(trade), texts);
        const records = messages.flatMap(({ body, recordCount }) => {
          expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
          const read = readMessage(body);
          if (!read.ok) throw new Error(read.detail);
          expect(read.message.records).toHaveLength(recordCount);
          return read.message.records;
        });
        const spelt = (one: string) => one.replaceAll("\ufffe", "\\ufffe").replaceAll("\uffff", "\\uffff");
        expect(records).toEqual(texts.map(spelt));
        expect(messages.map(({ firstLine }) => firstLine)).toEqual(
          messages.map((_, at) =>
            messages.slice(0, at).reduce((sum, { recordCount }) => sum + recordCount, 1),
          ),
        );
      }),
      { numRuns: cases(12) },
    );
  });

  it("have as many trades as the contract allows, and a hundred other records at most", () => {
    const counts = (kind: "trade" | "pass", count: number) =>
      packed(
        new MessagePacker({ kind, owner: kind === "trade" ? "A-B" : undefined }),
        Array<string>(count).fill("1"),
      ).map(({ recordCount }) => recordCount);
    expect(counts("trade", MESSAGE_RECORDS_MAX + 1)).toEqual([MESSAGE_RECORDS_MAX, 1]);
    expect(counts("pass", 100)).toEqual([100]);
    expect(counts("pass", 101)).toEqual([100, 1]);
  });

  it("fill a message to its last byte", () => {
    const packer = new MessagePacker(trade);
    const empty = Buffer.byteLength('{"kind":"trade","owner":"BTC-USD","revision":7,"records":[,]}');
    const rest = MESSAGE_BYTES_MAX - empty - 1;
    expect(packer.add("1", 1)).toBeUndefined();
    expect(packer.add(`"${"a".repeat(rest - 2)}"`, 2)).toBeUndefined();
    const full = packer.add("1", 3);
    expect(Buffer.byteLength(full?.body ?? "")).toBe(MESSAGE_BYTES_MAX);
  });
});

it("the calls that carry messages keep SQS's limits, the messages' order, and use their room", () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(245_760, 1_048_576)), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const messages = lengths.map((length) => ({ body: "a".repeat(length) }));
      const batches = [...batchesOf(messages)];
      expect(batches.flat()).toEqual(messages);
      const room = batches.map((batch) => 1_048_576 - batch.reduce((sum, one) => sum + bytesOf(one), 0));
      for (const [at, batch] of batches.entries()) {
        expect(batch.length).toBeLessThanOrEqual(10);
        expect(room[at]).toBeGreaterThanOrEqual(0);
        const [next] = batches[at + 1] ?? [];
        const isFull = batch.length === 10 || (next !== undefined && bytesOf(next) > (room[at] ?? 0));
        if (next !== undefined) expect(isFull).toBe(true);
      }
    }),
    { numRuns: cases(20) },
  );
});

it("whichever messages arrived before others, the line to go on from is the first that may not have arrived", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (arrived) => {
      const lines = new SentLines();
      for (const [at, isThere] of arrived.entries()) {
        lines.begun({ firstLine: 10 * at + 1 });
        if (isThere) lines.sent({ firstLine: 10 * at + 1 });
      }
      lines.read(10 * arrived.length);
      const first = arrived.indexOf(false);
      expect(lines.next(undefined)).toBe(first < 0 ? 10 * arrived.length + 1 : 10 * first + 1);
      expect(lines.next(3)).toBe(first === 0 ? 1 : Math.min(3, lines.next(undefined)));
    }),
  );
});

const queue = { attributes: { MaximumMessageSize: "262144" } } as unknown as SqsQueue;

it("messages of one kind and owner have one group, others another, and SQS takes each", () => {
  const owners = ["acme", "a b", "a/b", "株式会社", "x".repeat(256), "x".repeat(255)];
  const groups = [
    groupOf({ kind: "pass" }),
    groupOf({ kind: "trade", owner: "BTC-USD" }),
    groupOf({ kind: "transaction", owner: "BTC-USD" }),
    ...owners.map((owner) => groupOf({ kind: "transaction", owner })),
  ];
  expect(new Set(groups).size).toBe(groups.length);
  for (const MessageGroupId of groups)
    expect(faultOf({ MessageBody: "{}", MessageGroupId }, queue)).toBeUndefined();
  expect(groupOf({ kind: "trade", owner: "BTC-USD", revision: 1 })).toBe("trade/BTC-USD");
});
