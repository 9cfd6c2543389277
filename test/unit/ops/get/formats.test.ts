import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { describe, expect, test } from "vitest";
import {
  type Column,
  type Dataset,
  type Row,
  sentTrade,
  tradeDataset,
  transactionDataset,
} from "../../../../ops/get/datasets.ts";
import { lineFormats } from "../../../../ops/get/line-formats.ts";
import { DecimalFit, unscaled, writeParquet } from "../../../../ops/get/parquet.ts";
import { cases } from "../../../support/cases.ts";
import { scratchDirectory } from "../../../support/scratch.ts";
import { servedTrade } from "../../../support/trades.ts";

const directory = scratchDirectory();

const LEG = { leg_id: "leg-1", currency: "EUR", account_id: "acct-main" };
/** A transaction's JSON whose leg has these members in front. */
const transactionLine = (leg: string, members = ""): string =>
  `{"id":"tx-1","type":"fee","state":"completed","created_at":"2026-11-22T09:30:00.123456Z"${members},"legs":[{${leg}${JSON.stringify(LEG).slice(1)}]}`;

/** The fields of a CSV file (RFC 4180), as a strict reader takes them. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let fields: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (match === null) throw new Error(`This is not CSV: ${JSON.stringify(rest.slice(0, 40))}`);
    const [whole, quoted, plain = "", end] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") {
      lines.push(fields);
      fields = [];
    }
    rest = rest.slice(whole.length);
  }
  return lines;
}

const csvOf = (dataset: Dataset, ...lines: string[]): string =>
  lineFormats.csv.head(dataset) + lines.map((line) => lineFormats.csv.body(dataset, line)).join("");

/** The first record of a CSV file, by the names of its header. */
function csvRecord(dataset: Dataset, line: string): Record<string, string | undefined> {
  const [names = [], fields = []] = readCsv(csvOf(dataset, line));
  return Object.fromEntries(names.map((name, at) => [name, fields[at]]));
}

const linesOf = async function* (lines: readonly string[]) {
  yield* lines;
};

async function parquetOf(dataset: Dataset, lines: readonly string[]) {
  const path = join(directory, "sample.parquet");
  const source = { dataset, lines: () => linesOf(lines), signal: new AbortController().signal };
  const types = await writeParquet(path, source);
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return { types, bytes, file };
}

/** A dataset of one column, whose lines are the values' JSON strings. */
const oneColumn = (kind: Column["kind"]): Dataset => ({
  columns: [{ name: "value", kind }],
  rowsOf: (line): readonly Row[] => [[JSON.parse(line) as string]],
});

/** The unscaled integers of a decimal column, read from the file's own bytes and not by way of doubles. */
async function decimalsIn(file: ArrayBuffer, name: string): Promise<(bigint | undefined)[]> {
  const metadata = parquetMetadata(file);
  for (const element of metadata.schema) if (element.name === name) delete element.converted_type;
  const rows = await parquetReadObjects({ file, metadata, utf8: false });
  return rows.map(({ [name]: bytes }) =>
    bytes === null || bytes === undefined
      ? undefined
      : BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes as Uint8Array).toString("hex")}`)),
  );
}

const scaleOf = (type: string | undefined): number => Number(/^DECIMAL\(38, (\d+)\)$/.exec(type ?? "")?.[1]);

/** Decimals as the contracts have them: plain digits, at most 38. */
const decimal = (wholeMax: number, fractionMax: number) =>
  fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.stringMatching(new RegExp(`^(?:0|[1-9]\\d{0,${wholeMax - 1}})$`)),
      fc.stringMatching(new RegExp(`^\\d{0,${fractionMax}}$`)),
    )
    .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`);

/** One text for each value: zeros at the end of a fraction, and the sign of zero, do not change it. */
const normalized = (text: string): string =>
  text
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "")
    .replace(/^-(?=0*\.?0*$)/, "");

const textOf = (value: bigint, scale: number): string => {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const at = digits.length - scale;
  return `${value < 0n ? "-" : ""}${digits.slice(0, at)}.${digits.slice(at)}`;
};

describe("digits survive", () => {
  test("NDJSON has each record as it was sent", () =>
    fc.assert(
      fc.property(decimal(20, 18), (amount) => {
        const line = transactionLine(`"amount":${amount},`);
        expect(lineFormats.ndjson.body(transactionDataset, line)).toBe(`${line}\n`);
        const trade = lineFormats.ndjson.body(tradeDataset, sentTrade({ ...servedTrade, p: amount }).line);
        expect(JSON.parse(trade)).toMatchObject({ p: amount });
      }),
    ));

  test("CSV has the text of each amount, exponents included", () =>
    fc.assert(
      fc.property(decimal(20, 18), fc.constantFrom("", "e-7", "E+12"), (plain, exponent) => {
        const amount = `${plain}${exponent}`;
        fc.pre(normalized(plain) !== "0" || !plain.startsWith("-"));
        const line = transactionLine(`"amount":${amount},`);
        expect(csvRecord(transactionDataset, line)).toMatchObject({ "legs.amount": amount });
        expect(csvRecord(tradeDataset, sentTrade({ ...servedTrade, q: plain }).line)).toMatchObject({
          q: plain,
        });
      }),
    ));

  test("Parquet has the value of each amount in a decimal of 38 digits", () =>
    fc.assert(
      fc.asyncProperty(fc.array(decimal(20, 18), { minLength: 1, maxLength: 20 }), async (amounts) => {
        const { types, file } = await parquetOf(
          oneColumn("amount"),
          amounts.map((text) => JSON.stringify(text)),
        );
        const scale = scaleOf(types.value);
        const read = await decimalsIn(file, "value");
        expect(read.map((value) => normalized(textOf(value ?? 0n, scale)))).toEqual(amounts.map(normalized));
      }),
      { numRuns: cases(10) },
    ));

  test("Parquet has text where 38 digits do not hold every value of a column, or one has an exponent", async () => {
    const long = "1".repeat(30);
    for (const amounts of [
      [long, "0.123456789"],
      ["1", "1e-7"],
    ]) {
      const lines = amounts.map((text) => JSON.stringify(text));
      const { types, file } = await parquetOf(oneColumn("amount"), lines);
      expect(types).toEqual({ value: "STRING" });
      expect(await parquetReadObjects({ file })).toEqual(amounts.map((value) => ({ value })));
    }
    const { types } = await parquetOf(oneColumn("amount"), [`"${long}"`, '"0.12345678"']);
    expect(types).toEqual({ value: "DECIMAL(38, 8)" });
  });

  test("a scale is that of the longest fraction, and 38 digits are the most", () => {
    const fit = new DecimalFit();
    for (const text of ["00012.5", "-0.125", "7"]) fit.see(text);
    expect(fit.scale).toBe(3);
    expect(["12.5", "-0.125", "7"].map((text) => unscaled(text, 3))).toEqual([12_500n, -125n, 7_000n]);
    const small = new DecimalFit();
    small.see(`0.${"9".repeat(38)}`);
    expect(small.scale).toBe(38);
    fit.see("9".repeat(35));
    expect(fit.scale).toBe(3);
    fit.see("9".repeat(36));
    expect(fit.scale).toBeUndefined();
  });
});

describe("CSV", () => {
  test("gives a strict reader the texts as they were sent, once one apostrophe is removed in front", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
        fc.constantFrom("", "=", "+", "-", "@", "'", "\t", "\r", "\n", '"', ","),
        (text, first) => {
          const sent = `${first}${text}`;
          const [, [field = ""] = []] = readCsv(csvOf(oneColumn("text"), JSON.stringify(sent)));
          expect(field.replace(/^'/, "")).toBe(sent);
        },
      ),
    ));

  test("no field of text begins like a formula, in any width and behind what cannot be seen, and no amount is changed", () => {
    const oneOf = (hex: string) =>
      fc.constantFrom(...hex.split(" ").map((code) => String.fromCodePoint(Number.parseInt(code, 16))));
    const sign = oneOf("3d 2b 2d 40 ff1d ff0b ff0d ff20 fe66 fe62 fe63 fe6b 2212 207c 208b");
    const unseen = oneOf(
      "0 9 a b d 1b 20 7f 85 a0 ad 34f 115f 180e 2003 200b 200f 2028 202e 2060 2800 3000 3164 fe0f feff fffe fff9 e0001 e0101",
    );
    const fieldOf = (text: string) => readCsv(csvOf(oneColumn("text"), JSON.stringify(text)))[1]?.[0];
    fc.assert(
      fc.property(fc.string({ unit: unseen, maxLength: 3 }), sign, fc.string(), (before, first, text) => {
        expect(fieldOf(`${before}${first}${text}`)).toBe(`'${before}${first}${text}`);
      }),
    );
    for (const control of ["\0", "\t", "\r", "\n", "\u001b", "\ufeff", "\u200b"])
      expect(fieldOf(`${control}1`)).toBe(`'${control}1`);
    for (const plain of ["1+1", " 1", "a=1", "\u00e9", "\u{1f600}", "\uff11", "%1", "\u00a0x"])
      expect(fieldOf(plain)).toBe(plain);
    const [, [amount] = []] = readCsv(csvOf(oneColumn("amount"), '"-1200.50"'));
    expect(amount).toBe("-1200.50");
  });

  test("an amount that is not a number is text, and a text that looks like one stays text", () => {
    expect(csvOf(oneColumn("text"), '"-1200.50"')).toBe("value\r\n'-1200.50\r\n");
    expect(csvOf(oneColumn("amount"), '"-1+cmd"')).toBe("value\r\n'-1+cmd\r\n");
  });

  test("an absent member differs from an empty one, and instants are ISO 8601 in UTC with milliseconds", () => {
    const text = csvOf(tradeDataset, sentTrade({ ...servedTrade, anm: "" }).line);
    expect(text).toBe(
      "tdt,aid,anm,p,pc,pn,q,qc,qn,ve,pdt,vp,tid,s\r\n" +
        '2026-11-24T20:59:58.500Z,ETH,"",60001.010,GBP,MONE,0.991438254750782685,ETH,UNIT,VENUE,2026-11-24T20:59:58.501Z,VENUE,0123456789abcdef0123456789abcdef,\r\n',
    );
  });

  test("a transaction has a row for each leg, and its references in one field", () => {
    const references = [{ name: "trip", value: "7" }];
    const line = JSON.stringify({
      id: "tx-2",
      legs: [
        { leg_id: "a", amount: -1, counterparty: { account_type: "self" } },
        { leg_id: "b", amount: 1 },
      ],
      card: { phone: "+441632960000", references },
      merchant: { name: "Bean, Ltd" },
    });
    const [names = [], ...rows] = readCsv(csvOf(transactionDataset, line));
    const records = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    const common = { id: "tx-2", "merchant.name": "Bean, Ltd", "card.phone": "'+441632960000" };
    expect(records).toEqual([
      expect.objectContaining({ ...common, "legs.leg_id": "a", "legs.counterparty.account_type": "self" }),
      expect.objectContaining({ ...common, "legs.leg_id": "b", "legs.counterparty.account_type": "" }),
    ]);
    expect(JSON.parse(records[0]?.["card.references"] ?? "")).toEqual(references);
  });

  test("a transaction without a leg still has a row", () => {
    expect(csvRecord(transactionDataset, '{"id":"tx-3","legs":[]}')).toMatchObject({ id: "tx-3" });
  });
});

describe("Parquet", () => {
  test("has instants as timestamps, absent members as nulls, and the same bytes for the same records", async () => {
    const lines = [sentTrade(servedTrade).line, sentTrade({ ...servedTrade, s: "buy" }).line];
    const [one, other] = [await parquetOf(tradeDataset, lines), await parquetOf(tradeDataset, lines)];
    expect(one.bytes.equals(other.bytes)).toBe(true);
    const rows = await parquetReadObjects({ file: one.file });
    expect(rows).toMatchObject([
      { tdt: new Date(servedTrade.tdt), aid: "ETH", s: null },
      { tdt: new Date(servedTrade.tdt), s: "buy" },
    ]);
    expect(one.types).toMatchObject({
      tdt: "TIMESTAMP(isAdjustedToUTC, MILLIS)",
      p: "DECIMAL(38, 3)",
      q: "DECIMAL(38, 18)",
      tid: "STRING",
    });
  });

  test("says that instants are in UTC, in the words of today and in those of older readers", async () => {
    const { file } = await parquetOf(tradeDataset, [sentTrade(servedTrade).line]);
    for (const name of ["tdt", "pdt"])
      expect(parquetMetadata(file).schema.find((element) => element.name === name)).toMatchObject({
        type: "INT64",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      });
  });

  test.each([
    ["trades", tradeDataset],
    ["transactions", transactionDataset],
  ] as const)("is a whole file without any record of %s", async (_, dataset) => {
    const { file } = await parquetOf(dataset, []);
    expect(await parquetReadObjects({ file })).toEqual([]);
    const names = parquetSchema(parquetMetadata(file)).children.map(({ element }) => element.name);
    expect(names).toEqual(dataset.columns.map(({ name }) => name));
  });

  test("names the type of its row groups also where it has none, which strict readers need", async () => {
    const { bytes } = await parquetOf(tradeDataset, []);
    // In Thrift's compact protocol: 0 rows, a list of no structs, and the name of the writer.
    expect(bytes.includes(Buffer.from([0x16, 0x00, 0x19, 0x0c, 0x28]))).toBe(true);
  });

  test("ends when it is told to", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    const source = { dataset: tradeDataset, lines: () => linesOf([sentTrade(servedTrade).line]), signal };
    await expect(writeParquet(join(directory, "stopped.parquet"), source)).rejects.toThrow("enough");
  });
});
