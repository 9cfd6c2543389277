import { type Command, InvalidArgumentError, Option } from "commander";
import { plainBehaviour, type StoreBehaviour } from "./store-behaviour.ts";

const LAG_MS_MAX = 60_000;

/** Gives a command the options that make the local store lag, throttle, expire and lose answers as DynamoDB may. */
export function addBehaviourOptions(command: Command): void {
  const { indexLagMs, eventualLagMs, expiry, lostShare } = plainBehaviour;
  for (const option of [
    lagOption("--index-lag <ms>", "reads of a global index", indexLagMs),
    lagOption("--eventual-lag <ms>", "eventually consistent reads of a table", eventualLagMs),
    new Option(
      "--partition-limits [share]",
      "throttle each partition of the tables at DynamoDB's limits, or at a share of them such as 0.01",
    )
      .preset(1)
      .argParser(parseShare),
    new Option("--expiry <when>", "when items expire: early is at their exact second, late is never")
      .choices(["early", "late"])
      .default(expiry),
    new Option(
      "--lose-answers <share>",
      "share of the writes, from 0 to 1, that take effect but get no answer",
    )
      .default(lostShare)
      .argParser(parseShareOrNone),
  ])
    command.addOption(option);
}

const lagOption = (flags: string, reads: string, lagMs: number): Option =>
  new Option(flags, `milliseconds by which ${reads} may lag behind the writes, up to ${LAG_MS_MAX}`)
    .default(lagMs)
    .argParser(parseLag);

/** The behaviour that a command line asks for. */
export function readBehaviour(command: Command): StoreBehaviour {
  const given = command.opts<{
    indexLag: number;
    eventualLag: number;
    partitionLimits?: number;
    expiry: StoreBehaviour["expiry"];
    loseAnswers: number;
  }>();
  return {
    indexLagMs: given.indexLag,
    eventualLagMs: given.eventualLag,
    partitionShare: given.partitionLimits,
    expiry: given.expiry,
    lostShare: given.loseAnswers,
  };
}

function parseLag(text: string): number {
  const lagMs = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (lagMs <= LAG_MS_MAX) return lagMs;
  throw new InvalidArgumentError(`It must be a number of milliseconds from 0 to ${LAG_MS_MAX}.`);
}

function parseShareOrNone(text: string): number {
  return Number(text) === 0 && text !== "" ? 0 : parseShare(text);
}

function parseShare(text: string): number {
  const share = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (share > 0 && share <= 1) return share;
  throw new InvalidArgumentError("It must be a share such as 0.01, above 0 and at most 1.");
}
