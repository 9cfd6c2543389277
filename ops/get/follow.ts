import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import {
  CountinghouseError,
  type Follow,
  type FollowOptions,
  type FollowResume,
} from "../../client/src/index.ts";
import { isMembers } from "../../lib/json-value.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type Context, type GivenOf, takes } from "../command.ts";
import { callersPath } from "../store/store-options.ts";
import { outputLost, writeOutput } from "../terminal/standard-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { parseSeconds } from "../wallet/wallet-options.ts";
import { type Connection, type ConnectionOptions, connect, type InterfaceName } from "./connection.ts";
import { explained } from "./failures.ts";
import { readOwnFile, replaceFile, whileLocked } from "./own-files.ts";
import { deliver, messageOf, parseReceiver, type Receiver, readSecret } from "./post-change.ts";

/** What a command that follows records takes. */
export const followTakes = takes({
  "--follow": "print each change as it comes",
  "--every <seconds>": {
    text: "with --follow: from one look at what may soon change to the next (default: 5; of a pass 60)",
    parse: parseSeconds,
  },
  "--resume <file>": {
    text: "with --follow: keep here what was printed, and go on after it",
    parse: callersPath,
  },
  "--post <url>": {
    text: "with --follow: deliver each change to this address, and print it then",
    parse: parseReceiver,
  },
  "--secret-file <file>": "with --post: a file with the secret that signs, whsec_…; - for standard input",
});

/** Explains following in a command's help, after what is particular to the command. */
export const FOLLOW_HELP = `
After Ctrl-C or a kill, the same command with --resume FILE goes on; after a kill, the last line may come again. --post URL
delivers each change as a signed request (Standard Webhooks), again until a 2xx, before it is printed; webhook-id tells a
repetition.`;

/** A change as it is printed and delivered. */
interface Change {
  readonly type: string;
  readonly instant: string;
  /** What is printed; undefined for nothing. */
  readonly line: string | undefined;
  /** What is delivered. */
  readonly data: string;
  /** All that tells the change from every other one. */
  readonly version: readonly string[];
}

/** What is followed. */
export interface Followed<Item> {
  readonly name: InterfaceName;
  readonly begin: (connection: Connection, options: FollowOptions) => Follow<Item>;
  /** Undefined for nothing that a receiver should know. */
  readonly changeOf: (item: Item, connection: Connection) => Change | undefined | Promise<Change>;
  /** Whether it goes on at its end, for what may be added. */
  readonly isEndless?: boolean;
  /** Told of each answer. Only what is gone ends such a follow: other refusals are told too. */
  readonly onAnswer?: (status: number) => void;
}

type FollowRequest = ConnectionOptions & FollowGiven;

/** How a follow ends by itself. */
export interface End {
  /** The ids of the records that are there. */
  readonly known: ReadonlySet<string>;
  /** Whether nothing was printed or delivered, because all had ended before. */
  readonly isOld: boolean;
}

/** What is kept in the file of `--resume`. */
const keptSchema = z.strictObject({
  /** The interface, the address, and the subject of the token where it can be read. */
  of: z.array(z.string()),
  // The follow checks it; a record of zod's would lose the id `__proto__`.
  resume: z.custom<FollowResume>(isMembers),
  /** The last change, whose delivery may have been cut off. */
  undelivered: z.optional(z.strictObject({ id: z.string(), body: z.string(), line: z.optional(z.string()) })),
});
type Kept = z.infer<typeof keptSchema>;

/** A service that is down is asked until it is back, once a minute at last. */
const PAUSE_MS_MAX = 60_000;
/** A longer wait is a mistake, such as milliseconds that are sent as seconds. */
const WAIT_MS_MAX = 86_400_000;
/** Waits that are told, in milliseconds: shorter ones are usual. */
const TOLD_MS = 4_000;
const LOOK_MS = 5_000;

export const tell = (line: string): void => console.error(terminalText(line));

type FollowGiven = Partial<GivenOf<typeof followTakes>>;

/** Whether records are followed. @throws {OperatorError} for an option that has no meaning then, or without. */
export function isFollowed(
  { follow: isFollowing = false, every, resume, post, secretFile }: FollowGiven,
  without: Readonly<Record<string, unknown>>,
  within: Readonly<Record<string, unknown>> = {},
): boolean {
  const refused = isFollowing ? without : { every, resume, post, secretFile, ...within };
  const given = Object.entries(refused).find(([, value]) => value !== undefined && value !== false);
  if (given === undefined) return isFollowing;
  const flag = given[0].replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new OperatorError(`--${flag} has no meaning ${isFollowing ? "with" : "without"} --follow.`);
}

/**
 * Prints changes, and delivers them where that was asked for, until Ctrl-C or their end.
 *
 * @returns undefined after Ctrl-C.
 */
export async function followChanges<Item>(
  request: FollowRequest,
  followed: Followed<Item>,
  { stoppable }: Pick<Context<never>, "stoppable">,
): Promise<End | undefined> {
  const { every, resume: file } = request;
  const receiver = await receiverOf(request);
  const waitMsMax = every === undefined ? PAUSE_MS_MAX : every * 1000;
  const connection = await connect(followed.name, request, {
    retry: { attemptsMax: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY, waitMsMax },
    sleep: (ms, signal) => sleep(Math.min(ms, WAIT_MS_MAX), undefined, { signal }),
    onAnswer: followed.onAnswer,
  });
  return await stoppable(async (stop) => {
    const signal = AbortSignal.any([stop, outputLost()]);
    const work = (): Promise<End> => follow(request, followed, connection, receiver, signal);
    try {
      return await (file === undefined ? work() : whileLocked({ lock: `${file}.lock`, output: file }, work));
    } catch (error) {
      if (stop.aborted || !outputLost().aborted) throw explained(error);
      return undefined;
    }
  });
}

async function receiverOf({ post, secretFile }: FollowRequest): Promise<Receiver | undefined> {
  if ((post === undefined) !== (secretFile === undefined))
    throw new OperatorError("--post and --secret-file go together: each delivery is signed.");
  return post && secretFile !== undefined ? { url: post, key: await readSecret(secretFile) } : undefined;
}

async function follow<Item>(
  { resume: file, every }: FollowRequest,
  { name, begin, changeOf, isEndless, onAnswer }: Followed<Item>,
  connection: Connection,
  receiver: Receiver | undefined,
  signal: AbortSignal,
): Promise<End> {
  const { url, subject } = connection;
  const of = [name, url, subject ?? ""];
  const kept = file === undefined ? undefined : await readKept(file, of);
  const onWait: FollowOptions["onWait"] = (ms, failure) => {
    const seconds = Math.ceil(Math.min(ms, WAIT_MS_MAX) / 1000);
    const why = failure?.message ?? "The limit of the service is used up.";
    if (ms >= TOLD_MS) tell(`${why} It is asked again in ${seconds} s.`);
  };
  const everyMs = every === undefined ? undefined : every * 1000;
  const changes = begin(connection, { resume: kept?.resume, everyMs, signal, onWait });
  const keep = async (undelivered?: Kept["undelivered"]): Promise<void> => {
    if (file === undefined) return;
    await replaceFile(file, `${JSON.stringify({ of, resume: changes.resume, undelivered })}\n`);
  };
  const give = async (message: NonNullable<Kept["undelivered"]>): Promise<void> => {
    if (receiver !== undefined) await deliver(message, receiver, { signal, tell });
    if (message.line !== undefined) await writeOutput(`${message.line}\n`, signal);
    await keep();
  };
  // What happens before the first change is printed counts from this start, too.
  if (kept?.undelivered === undefined) await keep();
  else await give(kept.undelivered);
  let isOld = kept?.undelivered === undefined;
  for (;;)
    try {
      for await (const item of changes) {
        isOld = false;
        const changed = await changeOf(item, connection);
        if (changed === undefined) continue;
        const { line, ...change } = changed;
        const message = { ...messageOf(change, [name, subject ?? "", ...change.version]), line };
        // A record that changes back while a delivery is cut off would not be seen.
        if (receiver !== undefined) await keep(message);
        await give(message);
      }
      if (!isEndless) return { known: new Set(Object.keys(changes.resume.seen)), isOld };
      await sleep(LOOK_MS, undefined, { signal });
    } catch (error) {
      if (onAnswer === undefined || !(error instanceof CountinghouseError)) throw error;
      tell(`${error.message} It is tried again at the next look.`);
    }
}

/** What an earlier run kept. @throws {OperatorError} when it is of something else. */
async function readKept(file: string, of: Kept["of"]): Promise<Kept | undefined> {
  const kept = await readOwnFile(file, keptSchema, "Name another --resume.");
  const other =
    kept && ["interface", "address", "subject of the token"].find((_, at) => kept.of[at] !== of[at]);
  if (other === undefined) return kept;
  throw new OperatorError(`${file} is of another ${other}. Name another --resume.`);
}
