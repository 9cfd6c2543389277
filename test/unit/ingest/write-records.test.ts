import { expect, test } from "vitest";
import { BatchReport } from "../../../lib/ingest/batch-report.ts";
import { Delivery } from "../../../lib/ingest/delivery.ts";
import { writeMessage } from "../../../lib/ingest/write-message.ts";
import { type RecordWriters, versionsOf, writeRecords } from "../../../lib/ingest/write-records.ts";

test("versions of one record are written one after the other in the order of their batch, whatever its id's case", async () => {
  const records = ["Aa", "B", "aA", "aa", "b"].flatMap((id, at) => {
    const body = writeMessage({ kind: "sell_order", owner: "p" }, [JSON.stringify({ id, at })]);
    return new Delivery({ messageId: `m-${at}`, body, attributes: { ApproximateReceiveCount: "1" } }).records;
  });
  const begun: string[] = [];
  const underWay = new Set<string>();
  const write: RecordWriters["transaction"] = async (_owner, text) => {
    const { id, at } = JSON.parse(text) as { readonly id: string; readonly at: number };
    const record = id.toLowerCase();
    expect(underWay.has(record)).toBe(false);
    underWay.add(record);
    begun.push(`${record}${at}`);
    await new Promise(setImmediate);
    underWay.delete(record);
    return { outcome: "written" };
  };
  const writers = { transaction: write, sell_order: write, pass: write, market: write };
  const work = { clock: () => 0, report: new BatchReport(), signal: new AbortController().signal };
  await writeRecords(versionsOf(records), { writers, atOnce: 5 }, work);
  expect(begun).toEqual(["aa0", "b1", "aa2", "b4", "aa3"]);
});
