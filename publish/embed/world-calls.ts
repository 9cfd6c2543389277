import { Readable } from "node:stream";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { ControlRefusal } from "../../local/control/control-route.ts";
import { advanceRecord } from "../../local/demo/advance/advance-record.ts";
import { claimsOf } from "../../local/identity/local-token.ts";
import { documentKinds } from "../../local/records/document-kinds.ts";
import { LineRun } from "../../local/records/line-run.ts";
import { type Line, readLines } from "../../local/records/read-lines.ts";
import { writeLines } from "../../local/records/write-lines.ts";
import { marketWriter } from "../../ops/import/trades/market-writer.ts";
import { TradeReader } from "../../ops/import/trades/read-trades.ts";
import { writeTradeLines } from "../../ops/import/trades/write-trades.ts";
import type {
  AdvanceReport,
  FaultOptions,
  ImportOrder,
  ImportReport,
  RecordKind,
  TokenOrder,
} from "./types.ts";
import type { OpenWorld } from "./world.ts";

/** Follows the call of a world's method. Its arguments are checked. @throws {ControlRefusal} where they cannot be followed. */
export async function callWorld(
  world: OpenWorld,
  method: string,
  given: readonly unknown[],
): Promise<unknown> {
  const call = CALLS[method as keyof typeof CALLS] as (world: OpenWorld, ...given: unknown[]) => unknown;
  return await world.inTurn(async () => await call(world, ...given));
}

const CALLS = {
  issueToken,
  importRecords,
  advance,
  passTime,
  fault,
  clearFaults: ({ faults }, endpoint?: string) => faults.clear(endpoint),
  reset: ({ reset }) => reset(),
} satisfies Record<string, (world: OpenWorld, ...given: never[]) => unknown>;

function issueToken({ issuer, credentials }: OpenWorld, order: TokenOrder = {}): Promise<string> {
  const { business, wallet, scopes, expiresInS: lifeS, audience } = order;
  if (business !== undefined && wallet !== undefined)
    throw new ControlRefusal("A token speaks for a business or for a wallet, not for both.");
  return issuer.mintToken({
    ...claimsOf(wallet === undefined ? { business: business ?? credentials.business.id } : { wallet }),
    ...(scopes !== undefined && { scope: scopes.join(" ") }),
    ...(audience !== undefined && { audience }),
    ...(lifeS !== undefined && { lifeS }),
  });
}

async function advance(
  { operatorStore, clockShift }: OpenWorld,
  id: string,
  to?: string,
): Promise<AdvanceReport> {
  const step = { id, idsIn: "`credentials`", ...(to !== undefined && { to }) };
  const { kind, ...taken } = await advanceRecord(operatorStore, step, clockShift.clock);
  return { kind: kind.noun, id, from: taken.from, to: taken.to };
}

/** @param move what `shiftAfter` takes: a request of another language has a text. */
async function passTime({ clockShift, moveTime }: OpenWorld, move: number | string): Promise<number> {
  await moveTime(move);
  return clockShift.clock();
}

async function fault(
  { faults }: OpenWorld,
  route: string,
  kind: string,
  { byMs, ...options }: FaultOptions = {},
): Promise<void> {
  await faults.set({ route, fault: kind, ...options, ...(byMs !== undefined && { delayMs: byMs }) });
}

/** The owner of records whose order names none. */
const ownerOf = ({ credentials }: OpenWorld) => ({
  transactions: credentials.business.id,
  "sell-orders": credentials.ramp.partnerId,
  passes: undefined,
});

/** Records to import, which may be the bytes of a file. */
type FileOrder = Omit<ImportOrder, "records"> & { readonly records: ImportOrder["records"] | Buffer };

/** Imports records by the code of an operator's import: the same rules, refusals and outcomes. */
async function importRecords(
  world: OpenWorld,
  kind: RecordKind,
  { owner, market, records }: FileOrder,
): Promise<ImportReport> {
  const refusals: { line: number; reason: string }[] = [];
  const run = new LineRun(async (line, kind, reason) => {
    if (kind === "refused") refusals.push({ line, reason });
  });
  // A test asks for every record's outcome; the records do not come from a file that may be the wrong one.
  run.hasGood = true;
  const lines = readLines(Readable.from([bytesOf(records)]));
  if (kind === "trades") await importTrades(world, market, lines, run);
  else {
    const { operatorStore, clockShift } = world;
    const place = {
      ...operatorStore,
      owner: owner ?? ownerOf(world)[kind],
      intake: { clock: clockShift.clock },
    };
    await writeLines(lines, run, documentKinds[kind].writer(place));
  }
  return { ...run.tally, refusals: refusals.toSorted((one, other) => one.line - other.line) };
}

function bytesOf(records: FileOrder["records"]): Buffer {
  if (Buffer.isBuffer(records)) return records;
  if (typeof records === "string") return Buffer.from(records);
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

async function importTrades(
  { operatorStore: store, credentials, clockShift: { clock } }: OpenWorld,
  symbol: string = credentials.exchange.symbol,
  lines: AsyncIterable<Line>,
  run: LineRun,
): Promise<void> {
  const listed = await new MarketStore(store.table("Settings"), clock).get(symbol);
  const market = listed ?? marketOf(symbol);
  const { venue } = store.brand;
  await writeTradeLines(lines, run, {
    reader: new TradeReader({ symbol, market, venue, format: "ndjson", takesLastLine: true, clock }),
    write: marketWriter(store, { market, isListed: true, isWithdrawal: false, isRehearsal: false }),
  });
  if (listed === undefined && run.tally.written > 0)
    await new MarketRegister(store.table("Settings")).add(market);
}
