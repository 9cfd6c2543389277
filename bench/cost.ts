import { MEMORY_MB_DEFAULT } from "../infra/settings/function-size.ts";
import { prices } from "../ops/prices.ts";
import {
  type BilledSettings,
  deployedTerms,
  durationMs,
  sumOf,
  WHOLE_CORE_MB,
  workMs,
} from "./deployed-bill.ts";
import { markdownTable, printTable, type Rows } from "./print-figures.ts";
import { type Results, readResults, replaceSection } from "./results.ts";
import { type Usage, usagesOf } from "./usage.ts";

/** A stage's functions unless it says otherwise. */
const DEFAULTS: BilledSettings = { memoryMb: MEMORY_MB_DEFAULT, systemLogLevel: "INFO" };
/** Memory sizes that are compared. At the last one a function has a whole core. */
const SIZES_MB = [256, 512, 1_024, WHOLE_CORE_MB];
/** The cheapest call, a common one, and the one with most work. */
const COMPARED = ["get-sell-order", "get-transaction", "list-trades, 1,000 trades"];

/**
 * Prints the cost of a million calls of each endpoint as a stage deploys it, by the last measurements, and what other
 * memory sizes would change, and writes both into the documentation.
 */
export async function costs(): Promise<void> {
  const results = await readResults();
  const usages = usagesOf(results);
  if (usages.length === 0) {
    console.log(
      "\nThe cost of a call follows from the measurements warm-request, page, rate-limit and footprint: run `npm run bench` first.",
    );
    return;
  }
  const size = MEMORY_MB_DEFAULT.toLocaleString("en-US");
  await show(
    "cost",
    `Dollars for a million calls, prices of ${prices.asOf}, ${size} MB on arm64`,
    costRows(usages),
  );
  await show("memory", "What a function's memory changes", memoryRows(results, usages));
}

/** Prints rows, the first of which are headings, and writes them into the section of this name. */
async function show(section: string, title: string, rows: Rows): Promise<void> {
  printTable(title, rows);
  await replaceSection(section, markdownTable(rows));
}

const costRows = (usages: readonly Usage[]): Rows => [
  ["endpoint", "gateway", "reads", "writes", "compute", "egress", "logs", "sum", "the usual way"],
  ...usages
    .filter(({ way }) => way === "ours")
    .map((usage) => {
      const terms = deployedTerms(usage, DEFAULTS);
      const usual = usages.filter(({ way, endpoint }) => way === "usual" && endpoint === usage.endpoint);
      const sums = [terms, ...usual.map((one) => deployedTerms(one, DEFAULTS))].map(sumOf);
      return [usage.endpoint, ...[...Object.values(terms), ...sums].map(dollars)];
    }),
];

function memoryRows(results: Results, usages: readonly Usage[]): Rows {
  const compared = usages.filter(({ way, endpoint }) => way === "ours" && COMPARED.includes(endpoint));
  const [coldest = 0] = (results["cold-start"]?.figures ?? [])
    .filter(({ what }) => what.endsWith(": CPU"))
    .map(({ ours }) => ours.median)
    .toSorted((a, b) => b - a);
  const headings = compared.flatMap(({ endpoint }) => [`${endpoint}: ms`, "$ a million"]);
  return [
    ["MB", "of a core", ...headings, "slowest cold start: ms"],
    ...SIZES_MB.map((memoryMb) => [
      memoryMb.toLocaleString("en-US"),
      (memoryMb / WHOLE_CORE_MB).toFixed(2),
      ...compared.flatMap((usage) => [
        durationMs(usage, memoryMb).toFixed(1),
        dollars(sumOf(deployedTerms(usage, { ...DEFAULTS, memoryMb }))),
      ]),
      Math.round(workMs(coldest, memoryMb)).toString(),
    ]),
  ];
}

const dollars = (amount: number): string => amount.toFixed(2);

if (import.meta.main) await costs();
