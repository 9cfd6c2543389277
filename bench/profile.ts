import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { withPages } from "./page.ts";
import { replaceSection } from "./results.ts";
import { type DeployedBundle, deployedBundles } from "./support/bundles.ts";
import { cannedService, type EndpointName } from "./support/canned-service.ts";
import { startCannedStore } from "./support/canned-store.ts";

/** Shows where the CPU of a cold start and of a warm page goes, to explain an aim that is missed. */

const RUNS = 7;
const PAGES = 600;
const RUNNER = path.join(import.meta.dirname, "support", "run-cold.mjs");
const ENDPOINTS: readonly EndpointName[] = ["get-transaction", "get-pass", "get-sell-order", "list-trades"];

/** The file of V8's profiler. The durations of its samples add up to the self time of each frame. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Origins of source files in a bundle, by a part of their path; any other file is ours. */
const PACKAGES: readonly (readonly [part: string, origin: string])[] = [
  ["/@aws-sdk/", "the SDK"],
  ["/@smithy/", "the SDK"],
  ["/jose/", "jose"],
  ["/zod/", "zod"],
  ["/@middy/", "middy"],
];
const OURS = "our own code";

const NATIVE: Readonly<Record<string, string>> = {
  "(program)": "V8 and native code: compiling, TLS, hashing",
  "(garbage collector)": "garbage collection",
};

function originOf(
  { functionName, url, lineNumber, columnNumber }: CallFrame,
  map: SourceMap,
): string | undefined {
  if (functionName === "(idle)" || functionName === "(root)") return undefined;
  if (url.startsWith("node:")) return "Node.js's own modules";
  if (!url.endsWith("index.mjs")) return NATIVE[functionName] ?? NATIVE["(program)"];
  const entry = map.findEntry(lineNumber, columnNumber);
  const source = "originalSource" in entry ? entry.originalSource : "";
  return PACKAGES.find(([part]) => source.includes(part))?.[1] ?? OURS;
}

/** Milliseconds of CPU by origin. */
type Origins = Map<string, number>;

/** Adds the self time of each origin, as a mean over `times` repetitions. */
function addSelfTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  origin: (frame: CallFrame) => string | undefined,
  origins: Origins,
  times: number,
): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, origin(callFrame)]));
  for (const [at, id] of samples.entries()) {
    const of = frames.get(id);
    if (of === undefined) continue;
    origins.set(of, (origins.get(of) ?? 0) + (timeDeltas[at] ?? 0) / 1_000 / times);
  }
}

async function profileOnce(
  bundle: DeployedBundle,
  environment: object,
  eventFile: string,
  origins: Origins,
): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "countinghouse-profile-"));
  try {
    const flags = ["--cpu-prof", "--cpu-prof-interval", "200", "--cpu-prof-dir", directory];
    await promisify(execFile)(process.execPath, [...flags, RUNNER, bundle.file, eventFile], {
      env: { ...environment },
    });
    const [file = ""] = await readdir(directory);
    const profile: CpuProfile = JSON.parse(await readFile(path.join(directory, file), "utf8"));
    const map = new SourceMap(JSON.parse(await readFile(`${bundle.file}.map`, "utf8")));
    addSelfTimes(profile, (frame) => originOf(frame, map), origins, RUNS);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Milliseconds of CPU of one page of 1,000 trades in a running process, by origin. */
async function profilePages(): Promise<Origins> {
  return withPages(async ({ ours }) => {
    for (let page = 0; page < PAGES; page += 1) await ours();
    const session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 200 });
    await session.post("Profiler.start");
    for (let page = 0; page < PAGES; page += 1) await ours();
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    const origins: Origins = new Map();
    const { nodes, samples = [], timeDeltas = [] } = profile;
    addSelfTimes({ nodes, samples, timeDeltas }, originOfSource, origins, PAGES);
    return origins;
  });
}

/** The origin of code that is not bundled, by its file. */
function originOfSource({ functionName, url }: CallFrame): string | undefined {
  if (functionName === "(idle)" || functionName === "(root)") return undefined;
  if (url.startsWith("node:")) return "Node.js's own modules";
  if (url === "") return NATIVE[functionName] ?? NATIVE["(program)"];
  return PACKAGES.find(([part]) => url.includes(part))?.[1] ?? OURS;
}

/** Prints where the CPU of each function's cold start goes, and writes it into the documentation. */
async function profile(): Promise<void> {
  const service = await cannedService();
  const store = await startCannedStore(service);
  const bundles = deployedBundles(store.jwksUrl);
  const eventFile = path.join(await mkdtemp(path.join(tmpdir(), "countinghouse-profile-")), "event.json");
  const columns = new Map<string, Origins>();
  for (const name of ENDPOINTS) {
    const bundle = bundles.get(name);
    if (bundle === undefined) throw new Error(`${name} is not deployed.`);
    const origins: Origins = new Map();
    const environment = { ...store.environment, ...bundle.environment };
    for (let run = 0; run < RUNS; run += 1) {
      await writeFile(eventFile, JSON.stringify(await service.event(name, bundle.environment)));
      await profileOnce(bundle, environment, eventFile, origins);
    }
    columns.set(name, origins);
  }
  await store.close();
  await rm(path.dirname(eventFile), { recursive: true });
  columns.set("a warm page of 1,000 trades", await profilePages());
  await print(columns);
}

async function print(columns: ReadonlyMap<string, Origins>): Promise<void> {
  const origins = [...new Set([...columns.values()].flatMap((column) => [...column.keys()]))];
  const meanMs = (column: Origins, origin: string): number => column.get(origin) ?? 0;
  const total = (origin: string) =>
    [...columns.values()].reduce((sum, column) => sum + meanMs(column, origin), 0);
  const rows = origins
    .toSorted((a, b) => total(b) - total(a))
    .map((origin) => [origin, ...[...columns.values()].map((column) => meanMs(column, origin).toFixed(2))]);
  const heading = ["CPU in ms, by where it is spent: cold starts", ...columns.keys()];
  const lines = [heading, heading.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  console.log(lines.join("\n"));
  await replaceSection("profile", lines.join("\n"));
}

await profile();
