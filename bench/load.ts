import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Command, InvalidArgumentError } from "commander";
import type { DemoFile } from "../local/demo/demo-file.ts";
import { startCommand } from "../test/support/started-service.ts";
import { type NextRequest, registerCallers } from "./support/load-callers.ts";

const MINUTE_MS = 60_000;
/** Caches, compiled code and the heap take this long to reach their size. */
const SETTLED_MINUTES = 5;
/** A caller pauses this long after any answer but a 200, so that it does not spin. */
const PAUSE_MS = 50;

const number = (text: string): number => {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number from 1 to 999.");
};

/** Counts of all callers since the last printed line. */
interface Met {
  requests: number;
  limited: number;
  /** Answers of status 500 and above, and broken connections. */
  failed: number;
  /** Number of failures by their status and message, for the whole run. */
  readonly reasons: Map<string, number>;
}

const { minutes, callers } = new Command("npm run load --")
  .description(
    "Asks `npm start` for trades and for a sell order as fast as the callers can. Prints the callers' results and the " +
      "service's memory each minute. Ends with exit code 1 if a request failed.",
  )
  .option("--minutes <number>", "how many minutes to run", number, 20)
  .option("--callers <number>", "how many callers of each of the two endpoints", number, 32)
  .parse()
  .opts<{ minutes: number; callers: number }>();

/** Runs all callers for the given minutes and prints a line each minute. Resolves with whether no request failed. */
async function load(all: readonly NextRequest[]): Promise<boolean> {
  const agent = new Agent({ keepAlive: true, maxSockets: all.length });
  const met: Met = { requests: 0, limited: 0, failed: 0, reasons: new Map() };
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const calling = all.map((next) => call(next, agent, met, stop.signal));
  const memory: number[] = [];
  let failed = 0;
  console.log("minute  requests  of them 429  5xx or broken  resident MB");
  for (let minute = 1; minute <= minutes && !stop.signal.aborted; minute += 1) {
    await setTimeout(MINUTE_MS, undefined, { signal: stop.signal }).catch(() => {});
    memory.push(await residentMb());
    printRow(minute, met, memory.at(-1) ?? 0);
    failed += met.failed;
    Object.assign(met, { requests: 0, limited: 0, failed: 0 });
  }
  stop.abort();
  await Promise.all(calling);
  agent.destroy();
  for (const [reason, count] of met.reasons) console.log(`${count} times: ${reason}`);
  printGrowth(memory);
  return failed === 0;
}

async function call(next: NextRequest, agent: Agent, met: Met, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const { url, headers } = next(n, Date.now());
    const { status, text } = await send(url, headers, agent).catch(brokenOff);
    met.requests += 1;
    if (status === 429) met.limited += 1;
    if (status === 0 || status >= 500) {
      met.failed += 1;
      const reason = `${status} ${/"(?:code|message)":"[^"]*"/.exec(text)?.[0] ?? text}`;
      met.reasons.set(reason, (met.reasons.get(reason) ?? 0) + 1);
    }
    if (status !== 200) await setTimeout(PAUSE_MS);
  }
}

interface Answer {
  /** 0 for a request without an answer. */
  readonly status: number;
  readonly text: string;
}

const brokenOff = (error: Error): Answer => ({ status: 0, text: error.message });

async function send(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<Answer> {
  const [response] = (await once(get(url, { headers, agent }), "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await textOf(response) };
}

/** Resident memory of the service's process, in MB. */
async function residentMb(): Promise<number> {
  const { pid, exitCode, signalCode } = service.child;
  if (exitCode !== null || signalCode !== null)
    throw new Error(`The service has ended with ${signalCode ?? exitCode}.`);
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Math.round(Number(stdout) / 1_024);
}

function printRow(minute: number, { requests, limited, failed }: Met, mb: number): void {
  const cells = [String(minute).padStart(6), String(requests).padStart(8), String(limited).padStart(11)];
  console.log([...cells, String(failed).padStart(13), String(mb).padStart(11)].join("  "));
}

function printGrowth(memory: readonly number[]): void {
  const settled = memory.slice(SETTLED_MINUTES - 1);
  if (settled.length < 2) return;
  const [least, most] = [Math.min(...settled), Math.max(...settled)];
  console.log(
    `From minute ${SETTLED_MINUTES} on: ${settled[0]} MB first, ${settled.at(-1)} MB last, ${least} to ${most} MB between.`,
  );
}

await using running = new AsyncDisposableStack();
const dataDir = await mkdtemp(path.join(tmpdir(), "countinghouse-load-"));
running.defer(() => rm(dataDir, { recursive: true }));
const service = await startCommand(["--port", "0", "--data", dataDir]);
running.defer(async () => void (await service.stop()));
service.child.stdout?.resume();
const { baseUrl, exchange } = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")) as DemoFile;
const made = await registerCallers(dataDir, { ...exchange, baseUrl }, callers);
process.exitCode = (await load([...made.trades, ...made.orders])) ? 0 : 1;
