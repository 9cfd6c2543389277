import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Command, InvalidArgumentError } from "commander";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { startCommand } from "../support/start-command.ts";
import { Chores } from "./chores.ts";
import { Gathered, type Interval, useOf } from "./interval.ts";
import { mixedLoad, type NextRequest } from "./mix.ts";
import { registerOwners } from "./owners.ts";
import { headLine, printEndpoints, rowLine } from "./report.ts";
import { sendSteadily } from "./send-steadily.ts";
import { verdictOf } from "./verdict.ts";

const MINUTE_MS = 60_000;
const INTERVALS_MAX = 60;
const numberOf =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+(?:\.\d+)?$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  };

const { minutes, perSecond } = new Command("npm run bench -- soak")
  .description(
    "Runs `npm start` under a steady load over all endpoints, while records are imported and keys are rotated. Prints " +
      "latency, failures, memory and open files as time passes. Ends with exit " +
      "code 1 if a request failed, or if latency, memory or open files grew.",
  )
  .option("--minutes <number>", "how long to run", numberOf(0.1, 1_440), 30)
  .option("--per-second <number>", "the load, in requests a second", numberOf(1, 10_000), 90)
  .addHelpText(
    "after",
    "\nExample:\n  npm run bench -- soak --minutes 5\n\nCtrl-C ends it early, and what was seen is still judged.",
  )
  .parse()
  .opts<{ minutes: number; perSecond: number }>();

await using running = new AsyncDisposableStack();
const dataDir = await mkdtemp(path.join(tmpdir(), "countinghouse-soak-"));
running.defer(() => rm(dataDir, { recursive: true }));
const service = await startCommand(["--port", "0", "--data", dataDir]);
running.defer(async () => void (await service.stop()));
service.child.stdout?.resume();
const pid = service.child.pid ?? 0;

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const demo = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")) as DemoFile;
const owners = await registerOwners(dataDir, demo);
const chores = new Chores(dataDir);
const next = mixedLoad(demo, owners);
const { intervals, complaints, hasEnded } = await soak({ next, perSecond });
const { done, failed: failedChores } = chores.counts;
const verdict = verdictOf(intervals, failedChores, hasEnded);
const last = intervals.at(-1);
if (last !== undefined) printEndpoints(last);
console.log(`\nMeanwhile: ${[...done].map(([name, count]) => `${name} ${count}`).join(", ") || "nothing"}`);
for (const { what, isGood, text } of verdict) console.log(`${isGood ? "good" : "BAD "}  ${what}: ${text}`);
for (const failure of failedChores) console.log(failure);
for (const [reason, count] of complaints) console.log(`${count} times: ${reason}`);
process.exitCode = verdict.every(({ isGood }) => isGood) ? 0 : 1;

/** Sends the load and does the chores until the time is over, and prints a row for each interval. */
async function soak(load: { readonly next: NextRequest; readonly perSecond: number }) {
  const wantedMs = Math.max(5_000, Math.min(MINUTE_MS, (minutes * MINUTE_MS) / INTERVALS_MAX));
  // All of one length: in a short last one, some endpoint might not be asked.
  const intervalMs = (minutes * MINUTE_MS) / Math.max(1, Math.floor((minutes * MINUTE_MS) / wantedMs));
  const endsAt = performance.now() + minutes * MINUTE_MS;
  const startedAt = performance.now();
  const [intervals, complaints] = [[] as Interval[], new Map<string, number>()];
  let gathered = new Gathered(complaints);
  let hasEnded = false;
  const sending = sendSteadily(load, (met) => gathered.add(met), stop.signal);
  const doing = chores.keepDoing(owners, stop.signal);
  console.log(headLine);
  while (!stop.signal.aborted && endsAt - performance.now() > intervalMs / 2) {
    const leftMs = Math.max(0, endsAt - performance.now());
    await pause(Math.min(intervalMs, leftMs), undefined, { signal: stop.signal }).catch(() => {});
    const use = await useOf(pid).catch(() => undefined);
    hasEnded = use === undefined;
    if (use === undefined) break;
    const interval = gathered.close((performance.now() - startedAt) / 1_000, use);
    gathered = new Gathered(complaints);
    intervals.push(interval);
    console.log(rowLine(interval));
  }
  stop.abort();
  await Promise.all([sending, doing]);
  return { intervals, complaints, hasEnded };
}
