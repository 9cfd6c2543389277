import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { DamagedSegment, keyText, readSegment } from "../../lib/trades/read-segment.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "../../lib/trades/segment.ts";
import { isWithdrawnPartition } from "../../lib/trades/segment-key.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { type StoredSegment, TradeStore } from "../../lib/trades/trade-store.ts";
import { commands } from "../../local/installation.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, callersPath, optionOf, type StoreOptions } from "../store/store-options.ts";
import { codeOf, OperatorError } from "../terminal/operator-error.ts";
import { instantText } from "../terminal/write-table.ts";
import { findSegment, lastPlaceIn, parseKey } from "../segments/segment-by-key.ts";

const OWNER_ONLY = 0o600;

const HELP = `
\`trades check\` lists the key, and the function's log names it as "segment". A segment that can be read is never removed.
The removed segment is kept in a file (partition; sort key in hex; payload in Base64). Listings of its two seconds then
lack its trades: import them again from their source.

Example:
  ${commands.ops} trades remove-damaged 'BTC-USD#649/000001a20f4a0c5c00000000000000000000000000000007d2b1c04e'

Exit codes: 0 removed, 2 not removed.`;

interface Options extends StoreOptions {
  readonly keepIn: string;
}

type Key = ReturnType<typeof parseKey>;

/** The damaged segment under a key. @throws {OperatorError} when there is no segment, or it can be read. */
async function requireDamaged(store: TradeStore, key: Key): Promise<StoredSegment> {
  const segment = await findSegment(store, key);
  if (segment === undefined)
    throw new OperatorError(`There is no segment ${keyText(key)}. \`trades check\` lists the damaged ones.`);
  try {
    readSegment(segment);
  } catch (error) {
    if (error instanceof DamagedSegment) return segment;
    throw error;
  }
  throw new OperatorError(`${keyText(key)} can be read, so it was not removed.`);
}

/** Writes a segment to a file of its own, for its owner only. @returns the file's path. */
async function keep(segment: StoredSegment, directory: string): Promise<string> {
  const { partition, sort, payload } = segment;
  const name = keyText(segment).replaceAll(/[#/]/g, "-").slice(0, 120);
  const path = join(directory, `damaged-${name}.json`);
  const kept = { partition, sort: sort.toString("hex"), payload: payload.toString("base64") };
  try {
    await writeFile(path, `${JSON.stringify(kept)}\n`, { mode: OWNER_ONLY, flag: "wx", flush: true });
    return path;
  } catch (error) {
    throw new OperatorError(
      `The segment was not removed: it cannot be kept in ${path} (${codeOf(error)}). Name another directory with --keep-in.`,
      error,
    );
  }
}

async function removeFrom({ table }: OperatorStore, key: Key, keepIn: string): Promise<void> {
  const trades = table("Trades");
  const segment = await requireDamaged(new TradeStore(trades), key);
  const path = await keep(segment, keepIn);
  if (!(await new TradeRegister(trades).remove(segment)))
    throw new OperatorError(
      `${keyText(key)} was changed meanwhile, so it was not removed. Run \`trades check\` again.`,
    );
  console.log(`Removed ${keyText(key)}, and kept it in ${path}.`);
  const last = lastPlaceIn(segment);
  if (last === undefined) return;
  const from = instantText(stretchOf(last) * SEGMENT_SPAN_MS);
  const span = `from ${from} to ${instantText(last.tradedAt)}`;
  console.log(
    isWithdrawnPartition(key.partition)
      ? `The segment withdrew trades ${span}: withdraw them again.`
      : `Import the market's trades ${span} again.`,
  );
}

/** `trades remove-damaged`: removes a damaged segment from a market, and keeps its bytes in a file. */
export function removeDamagedTrades(group: Command): void {
  addStoreOptions(
    group
      .command("remove-damaged")
      .description("remove a damaged segment of trades, and keep it in a file")
      .argument("<key>", "the segment's key", optionOf(parseKey))
      .option("--keep-in <directory>", "the directory for the file", callersPath, callersPath(".")),
  )
    .addHelpText("after", HELP)
    .action((key: Key, { keepIn, ...options }: Options) =>
      withExistingStore(options, (store) => removeFrom(store, key, keepIn)),
    );
}
