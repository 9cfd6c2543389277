import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { DamagedSegment, keyText, readSegment } from "../../lib/trades/read-segment.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "../../lib/trades/segment.ts";
import { isWithdrawnPartition } from "../../lib/trades/segment-key.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { type StoredSegment, TradeStore } from "../../lib/trades/trade-store.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { defineCommand } from "../command.ts";
import { callersPath } from "../store/store-options.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { instantText } from "../terminal/write-table.ts";
import { lastPlaceIn } from "./survey.ts";

const OWNER_ONLY = 0o600;

const KEY =
  /^(?<partition>[A-Z0-9]{1,20}-[A-Z0-9]{1,20}#\d{1,7}(?:#withdrawn)?)\/(?<sort>(?:[0-9a-f]{2}){1,1024})$/;

type Key = Pick<StoredSegment, "partition" | "sort">;

/** The key of a segment from its text. @throws {RangeError} with a message for the operator. */
function parseKey(text: string): Key {
  const { partition, sort } = KEY.exec(text)?.groups ?? {};
  if (partition !== undefined && sort !== undefined) return { partition, sort: Buffer.from(sort, "hex") };
  throw new RangeError(
    "Give a key as `segments check` and the function's log show it, such as BTC-USD#649/0000….",
  );
}

const EXAMPLE_KEY = "BTC-USD#649/000001a20f4a0c5c00000000000000000000000000000007d2b1c04e";

const shape = z.object({
  segment: z.string(),
  /** The file that keeps the segment; none in a dry run. */
  keptIn: z.optional(z.string()),
  outcome: z.enum(["takenOut", "planned"]),
  /** What its trades were: to be imported again, or withdrawals, to be made again. */
  held: z.enum(["trades", "withdrawals"]),
  /** The times between which they were made; absent when the key names none. */
  from: z.optional(jsonTime),
  to: z.optional(jsonTime),
});

/** The damaged segment under a key. @throws {OperatorError} when there is no segment, or it can be read. */
async function requireDamaged(store: TradeStore, key: Key): Promise<StoredSegment> {
  const { partition, sort } = key;
  const question = { partition, from: sort, to: sort, after: undefined, segmentsMax: 1, isConsistent: true };
  const [segment] = (await store.page(question)).segments;
  if (segment === undefined)
    throw new OperatorError(
      `There is no segment ${keyText(key)}. \`segments check\` lists the damaged ones.`,
    );
  try {
    readSegment(segment);
  } catch (error) {
    if (error instanceof DamagedSegment) return segment;
    throw error;
  }
  throw new OperatorError(`${keyText(key)} can be read, so it was not taken out.`);
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
      `The segment was not taken out: it cannot be kept in ${path} (${codeOf(error)}). Name another directory with --keep-in.`,
      error,
    );
  }
}

function told(segment: StoredSegment, keptIn: string | undefined) {
  const key = keyText(segment);
  const last = lastPlaceIn(segment);
  const span = last && {
    from: instantText(stretchOf(last) * SEGMENT_SPAN_MS),
    to: instantText(last.tradedAt),
  };
  const held = isWithdrawnPartition(segment.partition) ? "withdrawals" : "trades";
  const when = `from ${span?.from} to ${span?.to}`;
  const way =
    held === "withdrawals"
      ? `The segment withdrew trades ${when}: withdraw them again.`
      : `Import the market's trades ${when} again.`;
  const done =
    keptIn === undefined
      ? `Would take out ${key}.`
      : `Took out ${key}, and kept it in ${terminalText(keptIn)}.`;
  const outcome = keptIn === undefined ? ("planned" as const) : ("takenOut" as const);
  return {
    json: { segment: key, outcome, held, ...span, ...(keptIn !== undefined && { keptIn }) } as const,
    text: span === undefined ? [done] : [done, way],
  };
}

/** `segments take-out`: removes a damaged segment from a market, and keeps its bytes in a file. */
export const takeOutSegment = defineCommand({
  words: "segments take-out",
  summary: "take a damaged segment of trades out, and keep it in a file",
  about: `
\`segments check\` lists the key, and the function's log names it as "segment". A segment that can be read is never removed.
The removed segment is kept in a file (partition; sort key in hex; payload in Base64). Listings of its two seconds then
lack its trades: import them again from their source. The command asks before it takes a segment out, unless --yes is given.`,
  examples: [`ops segments take-out '${EXAMPLE_KEY}'`],
  exits: { 0: "taken out", 1: "left after a no", 2: "not taken out" },
  on: "store",
  takes: {
    "<key>": { text: "the segment's key", parse: parseKey },
    "--keep-in <directory>": {
      text: "the directory for the file",
      parse: callersPath,
      default: ".",
      defaultText: callersPath("."),
    },
  },
  dryRun: "say what would be done, and change nothing",
  asks: true,
  json: {
    shape,
    example: {
      segment: EXAMPLE_KEY,
      keptIn: "/home/me/damaged-BTC-USD-649-000001a20f4a0c5c.json",
      outcome: "takenOut",
      held: "trades",
      from: "2026-11-24T20:59:58.000Z",
      to: "2026-11-24T21:00:00.000Z",
    },
  },
  async run({ key, keepIn, dryRun }, { store, confirm }) {
    const trades = (await store()).table("Trades");
    const segment = await requireDamaged(new TradeStore(trades), key);
    if (dryRun) return told(segment, undefined);
    await confirm(`Take the damaged segment ${keyText(key)} out?`);
    const path = await keep(segment, keepIn);
    if (!(await new TradeRegister(trades).remove(segment)))
      throw new OperatorError(
        `${keyText(key)} was changed meanwhile, so it was not taken out. Run \`segments check\` again.`,
      );
    return { ...told(segment, path), audit: { target: `segment ${keyText(key)}` } };
  },
});
