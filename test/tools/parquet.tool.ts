import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { readParquet } from "parquet-wasm/node";
import { describe, expect, test } from "vitest";
import { type Dataset, sentTrade, tradeDataset, transactionDataset } from "../../ops/get/datasets.ts";
import { writeParquet } from "../../ops/get/parquet.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { servedTrade } from "../support/trades.ts";

const TRANSACTION =
  '{"id":"tx-1","type":"fee","legs":[{"leg_id":"a","amount":-1.50},{"leg_id":"b","amount":1}]}';

async function write(dataset: Dataset, lines: readonly string[]): Promise<string> {
  const path = join(scratchDirectory(), "records.parquet");
  const source = {
    dataset,
    lines: async function* () {
      yield* lines;
    },
    signal: new AbortController().signal,
  };
  await writeParquet(path, source);
  return path;
}

/** The answer of DuckDB to a question, on a machine of this time zone. */
async function ask(question: string, zone = "UTC"): Promise<readonly unknown[]> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  try {
    await connection.run(`SET TimeZone='${zone}'`);
    return (await connection.runAndReadAll(question)).getRowsJson()[0] ?? [];
  } finally {
    connection.closeSync();
  }
}

const trades = [sentTrade(servedTrade).line, sentTrade({ ...servedTrade, s: "buy" }).line];

describe("a Parquet file of a download is read by arrow-rs and by DuckDB:", () => {
  test.each<[string, Dataset, readonly string[]]>([
    ["trades", tradeDataset, trades],
    ["trades of an empty day", tradeDataset, []],
    ["transactions, most of whose members are absent", transactionDataset, [TRANSACTION]],
    ["transactions of an empty day", transactionDataset, []],
    [
      "trades of more than one row group",
      tradeDataset,
      Array.from({ length: 20_001 }, () => trades[0] ?? ""),
    ],
  ])("%s", async (_, dataset, lines) => {
    const path = await write(dataset, lines);
    const rows = lines.flatMap((line) => dataset.rowsOf(line)).length;
    const table = readParquet(readFileSync(path));
    expect(table.recordBatches().reduce((sum, { numRows }) => sum + numRows, 0)).toBe(rows);
    const places = dataset.columns.map(({ name }) => table.schema.indexOf(name));
    expect(places).toEqual(dataset.columns.map((_, at) => at));
    expect(await ask(`SELECT count(*) FROM '${path}'`)).toEqual([String(rows)]);
    const columns = await ask(`SELECT count(*) FROM (DESCRIBE SELECT * FROM '${path}')`);
    expect(columns).toEqual([String(dataset.columns.length)]);
  });
});

test.each(["UTC", "Asia/Tokyo", "America/New_York"])(
  "a query by time has the same rows in %s",
  async (zone) => {
    const path = await write(tradeDataset, trades);
    const instant = new Date(servedTrade.tdt).toISOString();
    const question = `SELECT any_value(typeof(tdt)), count(*) FILTER (tdt = TIMESTAMPTZ '${instant}'), max(epoch_ms(tdt)), max(p)::text FROM '${path}'`;
    expect(await ask(question, zone)).toEqual([
      "TIMESTAMP WITH TIME ZONE",
      "2",
      String(servedTrade.tdt),
      "60001.010",
    ]);
  },
);
