import { type CallUsage, callTerms, prices } from "../local/bill/prices.ts";
import type { Figure } from "./figure.ts";
import { type Results, readResults, replaceSection } from "./results.ts";

/** The resources that one call of an endpoint uses. */
interface Usage extends CallUsage {
  readonly endpoint: string;
  readonly way: "ours" | "usual";
  readonly cpuMs: number;
}

const MEMORY_GB = 0.25;
/** At 256 MB a function has this share of a core (a whole one at 1,769 MB), so its CPU time takes that much longer. */
const CORE_SHARE = 256 / 1_769;
/** Billed time in which a function waits for two answers of the store; an assumption. */
const STORE_WAIT_MS = 6;
const MILLION = 1_000_000;

type Terms = Readonly<Record<"gateway" | "store reads" | "store writes" | "compute" | "egress", number>>;

/** Dollars for a million calls, term by term. */
function termsOf({ cpuMs, ...usage }: Usage): Terms {
  const { egress, ...terms } = callTerms(usage);
  const seconds = (cpuMs / CORE_SHARE + STORE_WAIT_MS) / 1_000;
  const compute = prices.lambdaPerMillion + seconds * MEMORY_GB * prices.lambdaPerGbSecond * MILLION;
  return { ...terms, compute, egress };
}

/**
 * Prints the cost of a million calls of each endpoint, by the last measurements, and writes it into the documentation.
 */
export async function costs(): Promise<void> {
  const results = await readResults();
  const usages = usagesOf(results);
  if (usages.length === 0) {
    console.log(
      "\nThe cost of a call follows from the measurements warm-request, page and rate-limit: run `npm run bench` first.",
    );
    return;
  }
  const rows = usages.map((usage) => rowOf(usage, termsOf(usage)));
  const headings = [
    "endpoint",
    "way",
    "gateway",
    "reads",
    "writes",
    "compute",
    "egress",
    "sum",
    "dominated by",
  ];
  console.log(`\nDollars for a million calls, prices of ${prices.asOf}, 256 MB on arm64`);
  for (const row of [headings, ...rows])
    console.log(
      row
        .map((cell) => cell.padEnd(14))
        .join(" ")
        .trimEnd(),
    );
  const lines = [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  await replaceSection("cost", lines.join("\n"));
}

function rowOf({ endpoint, way }: Usage, terms: Terms): string[] {
  const sum = Object.values(terms).reduce((total, term) => total + term, 0);
  const [dominant = ""] = Object.entries(terms).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return [endpoint, way, ...Object.values(terms).map(dollars), dollars(sum), dominant];
}

const dollars = (amount: number): string => amount.toFixed(2);

/**
 * Usage by the last measurements. Each decision of the limit is a write; keys and switches mostly come from a cache.
 */
function usagesOf(results: Results): Usage[] {
  const find = (measurement: string, what: string): Figure | undefined =>
    results[measurement]?.figures.find((figure) => figure.what === what);
  const writes = find("rate-limit", "1 patient caller: writes a decision");
  const cpu = find("page", "CPU a page");
  const reads = find("page", "read units a page");
  const bytes = find("page", "bytes to the caller");
  const trades = find("warm-request", "list-trades: CPU a call");
  if (!writes || !cpu || !reads || !bytes || !trades) return [];
  const points = READS.flatMap(({ endpoint, named, readUnits, bytesOut }) => {
    const call = find("warm-request", `${endpoint}: CPU a call`);
    return call === undefined ? [] : pointUsage({ endpoint: named, readUnits, bytesOut }, call, writes);
  });
  const pageUsage = (way: "ours" | "usual"): Usage => {
    const of = ({ ours, peer }: Figure) => (way === "ours" ? ours : peer).median;
    // A page of ten trades stands for the rest of a request: signature, limit and chain.
    const cpuMs = of(cpu) + trades.ours.median;
    return {
      endpoint: "list-trades, 1,000 trades",
      way,
      cpuMs,
      readUnits: of(reads),
      writeUnits: of(writes),
      bytesOut: of(bytes),
    };
  };
  return [...points, pageUsage("ours"), pageUsage("usual")];
}

/**
 * Read units and bytes of a call, for the reads that the tests assert. A strong read of a record of up to 4 KB is one
 * unit, and each call with a token reads one more to see whether its subject is revoked. A list reads its records with
 * eventual consistency, about 600 bytes each.
 */
const READS = [
  { endpoint: "get-transaction", named: "get-transaction", readUnits: 2, bytesOut: 600 },
  {
    endpoint: "list-transactions",
    named: "list-transactions, 100 records",
    readUnits: 1 + 7.5,
    bytesOut: 60_000,
  },
  { endpoint: "get-pass", named: "get-pass, 304", readUnits: 2, bytesOut: 0 },
  { endpoint: "get-sell-order", named: "get-sell-order", readUnits: 1, bytesOut: 600 },
] as const;

function pointUsage(
  read: Pick<Usage, "endpoint" | "readUnits" | "bytesOut">,
  call: Figure,
  writes: Figure,
): Usage[] {
  const usage = { ...read, cpuMs: call.ours.median };
  return [
    { ...usage, way: "ours", writeUnits: writes.ours.median },
    // The usual way also reads a key on each call, and counts in two windows.
    { ...usage, way: "usual", readUnits: read.readUnits + 1, writeUnits: writes.peer.median },
  ];
}

if (import.meta.main) await costs();
