import type { Figure } from "./figure.ts";
import type { Results } from "./results.ts";
import { loggedBytes, PLATFORM_LINES } from "./support/log-lines.ts";

/** The resources that one call of an endpoint uses. */
export interface Usage {
  /** The endpoint's name, and what of it the call asks for. */
  readonly endpoint: string;
  readonly way: "ours" | "usual";
  /** On a whole core of the machine that was measured. */
  readonly cpuMs: number;
  /** Answers of the store that the call waits for, one after the other. */
  readonly storeCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Bytes of the body, as they are sent. */
  readonly bytesOut: number;
  /** Bytes of the function's line and of the gateway's access line. */
  readonly logBytes: number;
  /** Bytes of the lines that Lambda itself writes. */
  readonly platformBytes: number;
}

/**
 * Units, bytes and calls of a call, for the reads that the tests assert. A strong read of a record of up to 4 KB is one
 * unit, and each call with a token reads one more to see whether its subject is revoked. A list reads its records with
 * eventual consistency, about 600 bytes each. Each call charges a limit.
 */
const READS = [
  { name: "get-transaction", call: "get-transaction", readUnits: 2, bytesOut: 600, storeCalls: 3 },
  {
    name: "list-transactions",
    call: "list-transactions, 100 records",
    readUnits: 1 + 7.5,
    bytesOut: 60_000,
    storeCalls: 3,
  },
  { name: "get-pass", call: "get-pass, 304", readUnits: 2, bytesOut: 0, storeCalls: 3 },
  { name: "get-sell-order", call: "get-sell-order", readUnits: 1, bytesOut: 600, storeCalls: 2 },
] as const;

const PAGE = { name: "list-trades", call: "list-trades, 1,000 trades", storeCalls: 2 } as const;

/**
 * Usage of each kind of call by the last measurements; empty as long as one of them is missing. Each decision of the
 * limit is a write; keys and switches mostly come from a cache.
 */
export function usagesOf(results: Results): readonly Usage[] {
  const find = (measurement: string, what: string): Figure | undefined =>
    results[measurement]?.figures.find((figure) => figure.what === what);
  const writes = find("rate-limit", "1 patient caller: writes a decision");
  if (!writes) return [];
  const points = READS.flatMap(({ name, call, ...read }): Usage[] => {
    const cpu = find("warm-request", `${name}: CPU a call`);
    const lines = find("footprint", `${name}: log lines`);
    if (!cpu || !lines) return [];
    const usage = { ...read, ...logOf(lines), endpoint: call, cpuMs: cpu.ours.median };
    return [
      { ...usage, way: "ours", writeUnits: writes.ours.median },
      // The usual way also reads a key on each call, and counts in two windows.
      { ...usage, way: "usual", readUnits: read.readUnits + 1, writeUnits: writes.peer.median },
    ];
  });
  return [...points, ...pagesOf(find, writes)];
}

/** The lines of both ways are ours, because the other way has to log the same. */
const logOf = ({ ours, peer }: Figure) => ({
  logBytes: ours.median + peer.median,
  platformBytes: loggedBytes(PLATFORM_LINES),
});

function pagesOf(
  find: (measurement: string, what: string) => Figure | undefined,
  writes: Figure,
): readonly Usage[] {
  const cpu = find("page", "CPU a page");
  const reads = find("page", "read units a page");
  const bytes = find("page", "bytes to the caller");
  const trades = find("warm-request", `${PAGE.name}: CPU a call`);
  const lines = find("footprint", `${PAGE.name}: log lines`);
  if (!cpu || !reads || !bytes || !trades || !lines) return [];
  return (["ours", "usual"] as const).map((way) => {
    const of = ({ ours, peer }: Figure) => (way === "ours" ? ours : peer).median;
    return {
      ...logOf(lines),
      endpoint: PAGE.call,
      way,
      // A page of ten trades stands for the rest of a request: signature, limit and chain.
      cpuMs: of(cpu) + trades.ours.median,
      storeCalls: PAGE.storeCalls,
      readUnits: of(reads),
      writeUnits: of(writes),
      bytesOut: of(bytes),
    };
  });
}
