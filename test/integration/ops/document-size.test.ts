import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { checkPass } from "../../../lib/passes/pass.ts";
import { checkSellOrder } from "../../../lib/sell-orders/sell-order.ts";
import { checkTransaction } from "../../../lib/transactions/transaction.ts";
import { countsOf } from "../../support/operator.ts";
import { workplace } from "../../support/workplace.ts";
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

test.each(kinds)(
  "$name are imported up to 16 KiB as they are served, however long they are spelled",
  async (kind) => {
    await using here = await workplace();
    const lines = [
      documentOf(kind, 1, 16_384),
      documentOf(kind, 2, 16_385),
      spelledIn(65_536, documentOf(kind, 3, 16_384)),
    ];
    const run = await here.from(lines.join("\n"), "import", kind.name, ...kind.owner, "-");
    expect(countsOf(run)).toMatchObject({ written: 2, refused: 1 });
    expect(JSON.parse(await readFile(here.file("import.rejects.ndjson"), "utf8"))).toEqual({
      line: 2,
      kind: "refused",
      reason: "the document must not be larger than 16384 bytes of UTF-8 as it is served",
    });
  },
);

test("passes publish refuses what is not UTF-8 from standard input", async () => {
  await using here = await workplace();
  const bytes = Buffer.from('{"partner_reference":"Caf\u00e9"}', "latin1");
  expect(await here.from(bytes, "passes", "publish", "-")).toMatchObject({
    code: 2,
    stderr: "Standard input is not UTF-8. Save it as UTF-8 text.\n",
  });
});
