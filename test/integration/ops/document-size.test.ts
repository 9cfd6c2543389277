import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { checkPass } from "../../../lib/passes/pass.ts";
import { checkSellOrder } from "../../../lib/sell-orders/sell-order.ts";
import { checkTransaction } from "../../../lib/transactions/transaction.ts";
import { heldStore } from "../../support/held-store.ts";
import { countsOf, runOperator } from "../../support/operator.ts";
import { sellOrder, transaction } from "./records.ts";

/** A kind of record: one document of it by number, with a filling, and the text that is served of a document. */
interface Kind {
  readonly name: string;
  readonly owner: readonly string[];
  readonly documentOf: (number: number, filling: string) => string;
  readonly servedOf: (text: string) => string;
}

function served(checked: { ok: true; value: object } | { ok: false; reason: string }): string {
  if (!checked.ok) throw new Error(checked.reason);
  const { doc, text } = checked.value as { readonly doc?: string; readonly text?: string };
  return doc ?? text ?? "";
}

const kinds: readonly Kind[] = [
  {
    name: "transactions",
    owner: ["--business", "acme", "--new"],
    documentOf: (number, filling) => transaction(`tx-${number}`, { reference: filling }),
    servedOf: (text) => served(checkTransaction(contractBrand, "acme", text)),
  },
  {
    name: "sell-orders",
    owner: ["--partner", "acme", "--new"],
    documentOf: (number, filling) =>
      sellOrder(`00000000-0000-4000-8000-00000000000${number}`, contractBrand.ownAccount).replace(
        '"status"',
        `"wallet":${JSON.stringify(filling)},"status"`,
      ),
    servedOf: (text) => served(checkSellOrder(contractBrand, "acme", text)),
  },
  {
    name: "passes",
    owner: [],
    documentOf: (number, filling) =>
      JSON.stringify({
        partner_reference: `ref-${number}`,
        // It is not served, and does not count.
        template_id: "t".repeat(100),
        type: "event_pass",
        version: 1,
        semantics: { name: filling },
      }),
    servedOf: (text) => served(checkPass(text)),
  },
];

/** A document of which so many bytes are served. Cyrillic letters take two of them, and six when they are escaped. */
function documentOf({ documentOf: build, servedOf }: Kind, number: number, bytes: number): string {
  const left = bytes - Buffer.byteLength(servedOf(build(number, "x"))) + 1;
  return build(number, "я".repeat(Math.floor(left / 2)) + "x".repeat(left % 2));
}

const escaped = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The same document, spelled in so many bytes of ASCII. */
const spelledIn = (bytes: number, text: string): string =>
  escaped(text).replace("{", `{${" ".repeat(bytes - escaped(text).length)}`);

const SERVED = "the document must not be larger than 16384 bytes of UTF-8 as it is served";

describe.each(kinds)("$name", (kind) => {
  test("are imported up to 16 KiB as they are served and 64 KiB as they are spelled", async () => {
    await using place = await heldStore();
    const file = join(place.path, "records.ndjson");
    const lines = [
      documentOf(kind, 1, 16_384),
      documentOf(kind, 2, 16_385),
      spelledIn(65_536, documentOf(kind, 3, 16_384)),
      spelledIn(65_537, documentOf(kind, 4, 16_384)),
      spelledIn(65_536, documentOf(kind, 5, 16_385)),
    ];
    await writeFile(file, `${lines.join("\n")}\n`);
    const run = await runOperator(["import", kind.name, ...kind.owner, file, "--data", place.data]);
    expect(countsOf(run)).toMatchObject({ written: 2, refused: 3 });
    const rejects = await readFile(`${file}.rejects.ndjson`, "utf8");
    const refusals = rejects
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { line: number });
    expect(refusals.toSorted((one, other) => one.line - other.line)).toEqual([
      { line: 2, kind: "refused", reason: SERVED },
      { line: 4, kind: "refused", reason: "the line is longer than 65536 bytes" },
      { line: 5, kind: "refused", reason: SERVED },
    ]);
  });
});

describe("passes publish", () => {
  const passes = kinds.at(-1) as Kind;

  test("takes as much, whatever stands around the document", async () => {
    await using place = await heldStore();
    const data = ["--data", place.data];
    const publish = (input: string) => runOperator(["passes", "publish", "-", ...data], { input });
    const right = { code: 0, stdout: "Published.\n" };
    expect(await publish(`\u{feff}${documentOf(passes, 1, 16_384)}\r\n`)).toMatchObject(right);
    expect(await publish(`\n ${spelledIn(65_536, documentOf(passes, 2, 16_384))} \n`)).toMatchObject(right);
    expect(await publish(documentOf(passes, 3, 16_385))).toMatchObject({
      code: 1,
      stderr: `Refused: ${SERVED}.\n`,
    });
    expect(await publish(spelledIn(65_537, documentOf(passes, 4, 16_384)))).toMatchObject({
      code: 1,
      stderr: "Refused: the document must not be larger than 65536 bytes as it is spelled.\n",
    });
  });

  test("refuses what is not UTF-8, from a file and from standard input, and stores nothing of it", async () => {
    await using place = await heldStore();
    const data = ["--data", place.data];
    const bytes = Buffer.from(passes.documentOf(1, "Café"), "latin1");
    const file = join(place.path, "latin.json");
    await writeFile(file, bytes);
    const fromFile = await runOperator(["passes", "publish", file, ...data]);
    expect(fromFile).toMatchObject({ code: 2, stderr: `${file} is not UTF-8. Save it as UTF-8 text.\n` });
    const fromInput = await runOperator(["passes", "publish", "-", ...data], { input: bytes });
    expect(fromInput).toMatchObject({
      code: 2,
      stderr: "Standard input is not UTF-8. Save it as UTF-8 text.\n",
    });
  });
});
