import type { ChildProcess } from "node:child_process";
import { mkdtempDisposable, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { DemoFile } from "../local/demo/demo-file.ts";
import { type Figure, figureOfPairs } from "./figure.ts";
import { requestsPerSecond } from "./support/requests-per-second.ts";
import { startCommand } from "./support/start-command.ts";

/** By now a start has collected its garbage, and environments that were only loaded have ended. */
const REST_MS = 30_000;
const LOAD_MS = 20_000;
const REST_MB_MAX = 250;
const LOAD_MB_MAX = 600;

const REPORTER = pathToFileURL(path.join(import.meta.dirname, "support/memory-report.mjs")).href;

/** What a process holds: all of it, and the JavaScript heap of each thread by the thread's name, in MB. */
interface Report {
  readonly residentMb: number;
  readonly heapsMb: readonly (readonly [name: string, heapMb: number])[];
}

/** The memory of `npm start` by part: at rest after a first and after a second start, and at the end of a load. */
export async function serviceMemory(): Promise<readonly Figure[]> {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), "countinghouse-bench-"));
  const first = await startedReports(directory.path, false);
  const second = await startedReports(directory.path, true);
  return [
    ...figuresOf("after a first start", first.rest, REST_MB_MAX),
    ...figuresOf("after another start", second.rest, REST_MB_MAX),
    ...(second.load === undefined ? [] : figuresOf("under load", second.load, LOAD_MB_MAX)),
  ];
}

/** Starts the service on the data of a directory. @returns what it holds at rest and, if wanted, at the end of a load. */
async function startedReports(directory: string, isLoaded: boolean) {
  const [dataDir, file] = [path.join(directory, "data"), path.join(directory, "report.json")];
  const environment = { NODE_OPTIONS: `--import ${REPORTER}`, MEMORY_REPORT: file };
  const service = await startCommand(["--port", "0", "--tls-port", "0", "--data", dataDir], environment);
  try {
    service.child.stdout?.resume();
    await pause(REST_MS);
    const rest = await reportOf(service.child, file);
    if (!isLoaded) return { rest };
    const demo = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")) as DemoFile;
    await askForOrders(demo);
    return { rest, load: await reportOf(service.child, file) };
  } finally {
    await service.stop();
  }
}

/** Asks for one order again and again. Most answers are a 429 after a while, which cost the service as much. */
async function askForOrders({ baseUrl, ramp }: DemoFile): Promise<void> {
  await requestsPerSecond(
    {
      url: baseUrl,
      path: () => `/sell-orders/${ramp.orderId}`,
      headers: () => ({ "x-api-key": ramp.apiKey }),
      statuses: [200, 429],
    },
    LOAD_MS,
  );
}

async function reportOf(child: ChildProcess, file: string): Promise<Report> {
  await rm(file, { force: true });
  child.kill("SIGUSR2");
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Report;
    if (child.exitCode !== null) throw new Error("The service ended before it told what it holds.");
    await pause(100);
  }
}

/** The whole against its aim, and each part against the whole, so that the ratio is the part's share. */
function figuresOf(moment: string, { residentMb, heapsMb }: Report, mbMax: number): readonly Figure[] {
  const sumOf = (isPart: (name: string) => boolean): number =>
    heapsMb.filter(([name]) => isPart(name)).reduce((sum, [, heapMb]) => sum + heapMb, 0);
  const known = ["gateway", "dynamodb"];
  const parts: readonly (readonly [string, number])[] = [
    ["heap of the gateway's thread", sumOf((name) => name === "gateway")],
    ["heap of the store's thread", sumOf((name) => name === "dynamodb")],
    ["heaps of functions", sumOf((name) => !known.includes(name))],
    ["the program, compiled code, and what libraries hold", residentMb - sumOf(() => true)],
  ];
  const figure = (what: string, mb: number): Figure =>
    figureOfPairs({ what: `npm start ${moment}: ${what}`, unit: "MB", peerName: "the whole process" }, [
      [mb, residentMb],
    ]);
  const aim = { text: `at most ${mbMax} MB`, isMet: residentMb <= mbMax };
  return [{ ...figure("resident", residentMb), aim }, ...parts.map(([what, mb]) => figure(what, mb))];
}
