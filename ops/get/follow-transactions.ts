import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { Follow, type FollowResume, type FollowSource, type RetryOptions } from "../../client/src/index.ts";
import { systemClock } from "../../lib/clock.ts";
import { epochMsOf } from "../../lib/instant.ts";
import { COUNT_MAX } from "../../lib/transactions/contract.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type Context, takes } from "../command.ts";
import { callersPath } from "../store/store-options.ts";
import { outputLost } from "../terminal/standard-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { type Connection, type ConnectionOptions, connect } from "./connection.ts";
import { explained } from "./failures.ts";
import { elementsOf } from "./json-text.ts";
import { parseMoment } from "./moment.ts";
import { readOwnFile, replaceFile, whileLocked } from "./own-files.ts";
import { deliver, messageOf, parseReceiver, type Receiver, readSecret } from "./post-change.ts";
import { listTransactions } from "./readers.ts";

/** What a command that follows records takes. */
export const followTakes = takes({
  "--follow": "print each transaction that changes, from now or from --from on, without an end",
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

/** Explains following in a command's help. */
export const FOLLOW_HELP = `
With --follow, each transaction that is created or changes is printed as a line once it is seen: what is new or open is
looked at every five seconds, everything once a minute for each 1,000 transactions. After Ctrl-C or a kill, the same command
with --resume FILE goes on; after a kill, the last line may come again. --post URL delivers each change as a signed
request (Standard Webhooks), again until a 2xx, before it is printed; webhook-id tells a repetition.`;

interface FollowRequest extends ConnectionOptions {
  readonly from?: string | undefined;
  readonly resume?: string;
  readonly post?: URL;
  readonly secretFile?: string;
}

/** A version of a transaction, with its text. */
interface Sent {
  readonly id: string;
  readonly state: string;
  readonly updated_at: string;
  readonly line: string;
}

/** What is kept in the file of `--resume`. */
const keptSchema = z.strictObject({
  follow: z.literal("transactions"),
  url: z.string(),
  /** Whose transactions, where the token can be read. */
  subject: z.optional(z.string()),
  resume: z.strictObject({ sinceMicros: z.number(), seen: z.record(z.string(), z.string()) }),
});
type Kept = z.infer<typeof keptSchema>;

/** A service that is down is asked until it is back, every five minutes at last. */
const PATIENT: RetryOptions = {
  attemptsMax: Number.POSITIVE_INFINITY,
  totalMs: Number.POSITIVE_INFINITY,
  waitMsMax: 300_000,
};

/** Waits that are told, in milliseconds: shorter ones are usual. */
const TOLD_MS = 4_000;

const tell = (line: string): void => console.error(terminalText(line));

/** Prints the changes of transactions, and delivers them where that was asked for, until Ctrl-C. */
export async function followTransactions(
  request: FollowRequest,
  { stoppable }: Pick<Context<never>, "stoppable">,
): Promise<void> {
  const { post, secretFile, resume: file } = request;
  if ((post === undefined) !== (secretFile === undefined))
    throw new OperatorError("--post and --secret-file go together: each delivery is signed.");
  const receiver = post && secretFile !== undefined && { url: post, key: await readSecret(secretFile) };
  const connection = await connect("business", request, PATIENT);
  await stoppable(async (stop) => {
    const signal = AbortSignal.any([stop, outputLost()]);
    const work = (): Promise<void> => follow(request, connection, receiver || undefined, signal);
    try {
      await (file === undefined ? work() : whileLocked({ lock: `${file}.lock`, output: file }, work));
    } catch (error) {
      if (stop.aborted || !outputLost().aborted) throw explained(error);
    }
  });
}

async function follow(
  { from, resume: file }: FollowRequest,
  connection: Connection,
  receiver: Receiver | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { url, subject } = connection;
  const place = { follow: "transactions", url, ...(subject !== undefined && { subject }) } as const;
  const resume = file === undefined ? undefined : await readResume(file, place);
  const now = systemClock();
  const since = from === undefined ? now : epochMsOf(parseMoment(from, now));
  const platform = { now: systemClock, sleep: (ms: number) => sleep(ms, undefined, { signal }) };
  const changes = new Follow(sourceOf(connection, signal), platform, { since, resume, signal });
  const keep = async (): Promise<void> => {
    if (file === undefined) return;
    const kept: Kept = { ...place, resume: changes.resume };
    await replaceFile(file, `${JSON.stringify(kept)}\n`);
  };
  // What happens before the first change is printed counts from this start, too.
  await keep();
  for await (const { id, state, updated_at: instant, line } of changes) {
    const message = messageOf({ type: "transaction.changed", instant, line }, [
      subject ?? "",
      id,
      instant,
      state,
    ]);
    if (receiver !== undefined) await deliver(message, receiver, { signal, tell });
    await printLine(line, signal);
    await keep();
  }
}

/** The resume that an earlier run kept. @throws {OperatorError} when it is of something else. */
async function readResume(file: string, place: Omit<Kept, "resume">): Promise<FollowResume | undefined> {
  const kept = await readOwnFile(file, keptSchema, "Name another --resume.");
  if (kept === undefined) return undefined;
  if (kept.url === place.url && kept.subject === place.subject) return kept.resume;
  throw new OperatorError(`${file} is of another service, or of another business. Name another --resume.`);
}

/** The transactions of the connection's business, each with its text. */
function sourceOf(connection: Connection, signal: AbortSignal): FollowSource<Sent> {
  const { client, recorder } = connection;
  const onWait = (ms: number): void => {
    if (ms >= TOLD_MS) tell(`The service is asked again in ${Math.ceil(ms / 1000)} s.`);
  };
  return {
    list: async function* (query) {
      for await (const { transaction, line } of listTransactions(
        connection,
        { ...query, count: COUNT_MAX },
        { signal, onWait },
      ))
        yield { id: transaction.id, state: transaction.state, updated_at: transaction.updated_at, line };
    },
    get: async (id) => {
      const { state, updated_at } = await client.business.transaction(id, { signal, onWait });
      const [line = ""] = elementsOf(`[${await recorder.body}]`);
      return { id, state, updated_at, line };
    },
  };
}

/** Prints a line. A reader that is slower than the service is waited for. */
async function printLine(line: string, signal: AbortSignal): Promise<void> {
  const shown = process.stdout.isTTY ? terminalText(line) : line;
  if (!process.stdout.write(`${shown}\n`)) await once(process.stdout, "drain", { signal });
}
