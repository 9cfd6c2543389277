import { dirname } from "node:path";
import { parseArgs } from "node:util";
import type { Command } from "commander";
import { type Clock, systemClock } from "../lib/clock.ts";
import { ClockShift, shiftDate } from "../local/clock/clock-shift.ts";
import { type DemoFile, readDemoFile } from "../local/demo/demo-file.ts";
import { readAheadMs } from "../local/time/service-time.ts";
import { callersPath, DEFAULT_DATA_DIRECTORY, environmentSecret } from "./store/store-options.ts";

const TEXT = { type: "string" } as const;
const READ = {
  data: TEXT,
  stage: TEXT,
  url: TEXT,
  "jws-key": TEXT,
  "private-key": TEXT,
  "left-credentials": TEXT,
  "right-credentials": TEXT,
  post: TEXT,
} as const;

const shift = new ClockShift();
/** What the dates of this process are made by, once they were shifted. */
let shifted: DateConstructor | undefined;

/** The machine's clock, whatever time this process lives in: for whoever does not live in the service's. */
export const machineClock: Clock = () => systemClock() - shift.ms;

/**
 * Lets this process live in the time of the local service that a command works on or asks: the one of `--data`, or in
 * whose directory its keys lie, unless the command names a stage or the address of another service. What it signs and
 * writes is then dated as the service expects.
 *
 * @returns whether that is another time than the machine's.
 */
export async function enterServiceTime(command: Command, args: readonly string[]): Promise<boolean> {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : [...args];
  const { values: given, positionals } = parseArgs({
    args: own,
    options: READ,
    strict: false,
    allowPositionals: true,
  });
  // Whom a command tells of changes is not whom it asks.
  const { post: _, ...values } = given;
  const { data = DEFAULT_DATA_DIRECTORY, stage, url = environmentSecret("COUNTINGHOUSE_URL") } = values;
  const takes = (option: string): boolean => command.options.some(({ long }) => long === option);
  const named = [...positionals, ...Object.values(values), takes("--url") ? url : undefined];
  const addresses = named.filter((word): word is string => /^https?:/.test(String(word)));
  const keyFiles = ["jws-key", "private-key", "left-credentials", "right-credentials"] as const;
  const keys = keyFiles.map((option) => values[option]).filter((key) => typeof key === "string");
  const places = [
    ...(takes("--data") || addresses.length > 0 ? [String(data)] : []),
    ...keys.map((key) => dirname(key)),
  ];
  let aheadMs = 0;
  for (const place of stage === undefined ? places.map(callersPath) : [])
    if (aheadMs === 0 && (await serves(place, addresses))) aheadMs = await readAheadMs(place);
  return liveAhead(aheadMs);
}

/** Follows the service of a data directory: its time may have moved since. */
export const followServiceTime = async (data: string): Promise<boolean> => liveAhead(await readAheadMs(data));

function liveAhead(aheadMs: number): boolean {
  shift.ms = aheadMs;
  if (aheadMs > 0 && Date !== shifted) {
    shiftDate(shift);
    shifted = Date;
  }
  return aheadMs > 0;
}

/** Whether all addresses, of which there may be none, are those of the service of a data directory. */
async function serves(place: string, addresses: readonly string[]): Promise<boolean> {
  const { baseUrl, passes }: Partial<DemoFile> = await readDemoFile(place).catch(() => ({}));
  const own = [baseUrl, passes?.mtls.url].map((url) => originOf(url ?? ""));
  return addresses.every((address) => own.includes(originOf(address) ?? ""));
}

/** The origin of an address, in which every name of this machine is the same. */
const originOf = (address: string): string | undefined =>
  URL.parse(address)?.origin.replace(/(?<=:\/\/)(?:localhost|\[::1\])(?=:|$)/, "127.0.0.1");
