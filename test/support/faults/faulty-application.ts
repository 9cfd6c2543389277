import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { contractBrand as brand } from "../../../lib/brand.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import type { ClockShift } from "../../../local/clock/clock-shift.ts";
import { processEnvironment } from "../../../local/options.ts";
import { localApplication } from "../../../local/template/local-application.ts";
import type { Application } from "../../../local/template/template.ts";
import type { FunctionDefinition } from "../../../local/template/template-function.ts";
import { scratchDirectory } from "../scratch.ts";

/** Functions are ended so much later than they are told. On a busy machine, an answer in time may arrive late. */
const GRACE_MS = 5_000;
const FRAGILE_MEMORY_MB = 40;

/** The application of the local stage, whose functions have one time limit that they are told, and count their work. */
export async function faultyApplication(limitMs: number): Promise<Application> {
  const settings = { brand, corsOrigins: [], stockSdk: false };
  const application = await localApplication(settings, {
    dataDir: scratchDirectory(),
    environment: processEnvironment,
    clock: systemClock,
    report: () => {},
  });
  return withFunctions(application, (definition) => ({
    ...wrapped(definition, counted),
    timeoutMs: limitMs + GRACE_MS,
  }));
}

/** The same with little memory, whose functions end where a request or a message says so. */
export const withFragile = (application: Application): Application =>
  withFunctions(application, (definition) => ({
    ...wrapped(definition, fragile),
    memoryMb: FRAGILE_MEMORY_MB,
  }));

const withFunctions = (
  application: Application,
  change: (definition: FunctionDefinition) => FunctionDefinition,
): Application => ({ ...application, functions: application.functions.map(change) });

/** A function of another text, which gets the address of the deployed bundle. */
function wrapped(definition: FunctionDefinition, textAround: (bundle: string) => string): FunctionDefinition {
  const codePath = scratchDirectory();
  const bundle = JSON.stringify(pathToFileURL(join(definition.codePath, "index.mjs")).href);
  writeFileSync(join(codePath, "index.mjs"), textAround(bundle));
  return { ...definition, codePath };
}

/** The clock by which functions are told the end of their time. */
export const toldClock =
  (shift: ClockShift): Clock =>
  () =>
    shift.clock() - GRACE_MS;

/** How a thread ends: as a killed process does, or because it wants more memory than there is. */
export type EndOfThread = "killed" | "out of memory";

/** The header of a request, or the attribute of a message, in whose middle the thread ends. */
export const END_HEADER = "x-ends-by";

/** The deployed function, which has begun its work when it ends. */
const fragile = (bundle: string): string => `
import { handler as deployed } from ${bundle};
const ends = {
  "killed": () => process.exit(137),
  "out of memory": () => {
    for (const held = []; ; ) held.push(new Array(10_000).fill(held.length));
  },
};
export const handler = (event, context) => {
  const answer = deployed(event, context);
  const endsBy = event.headers?.["${END_HEADER}"] ?? event.Records?.[0].messageAttributes["${END_HEADER}"]?.stringValue;
  ends[endsBy]?.();
  return answer;
};`;

/** What one invocation of a function has done. */
export interface Work {
  /** Paths of the files that the environment has read since it loaded, in all its invocations; each as often as it was read. */
  readonly files: readonly string[];
  /** Texts of JSON that were parsed. */
  readonly texts: number;
  /** Requests that were sent: to the store, a queue or an issuer. */
  readonly calls: number;
  /** Lines that were printed. */
  readonly lines: number;
}

/** The deployed function as it is, whose work is counted from outside and printed as a line of its own. */
const counted = (bundle: string): string => `
import { subscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const files = [];
const done = { texts: 0, calls: 0, lines: 0 };
const print = process.stdout.write.bind(process.stdout);
function watch(owner, name, note) {
  const real = owner[name];
  owner[name] = function (...given) {
    note(...given);
    return Reflect.apply(real, this, given);
  };
}
const noteFile = (path) => files.push(String(path));
for (const name of ["createReadStream", "open", "openSync", "readFile", "readFileSync"]) watch(fs, name, noteFile);
for (const name of ["open", "readFile"]) watch(fs.promises, name, noteFile);
syncBuiltinESMExports();
watch(JSON, "parse", () => { done.texts += 1; });
watch(process.stdout, "write", () => { done.lines += 1; });
subscribe("http.client.request.created", () => { done.calls += 1; });
const { handler: deployed } = await import(${bundle});
files.length = 0;
export const handler = async (event, context) => {
  const before = { ...done };
  try {
    return await deployed(event, context);
  } finally {
    const work = Object.entries(done).map(([name, value]) => [name, value - before[name]]);
    print(JSON.stringify({ work: { ...Object.fromEntries(work), files } }) + "\\n");
  }
};`;

const WORK = '{"work":';

/** The work that a line tells of; undefined for a line of the function's own. */
export const workIn = (line: string): Work | undefined =>
  line.startsWith(WORK) ? (JSON.parse(line) as { readonly work: Work }).work : undefined;

/** How much more than usual a function may do under a fault. */
export interface Allowance {
  /** The most attempts at a call. */
  readonly attempts: number;
  /** The texts that are read for each call. */
  readonly textsOfCall?: number;
}

/** Whether a function repeats its calls alone, reads their answers, and for its first fault the source map: each file once. */
export const isLittleMore = (work: Work, usual: Work, { attempts, textsOfCall = 1 }: Allowance): boolean =>
  new Set(work.files).size === work.files.length &&
  work.calls <= attempts * usual.calls &&
  work.texts <= usual.texts + textsOfCall * work.calls + work.files.length;
