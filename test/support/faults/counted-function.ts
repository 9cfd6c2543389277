import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FunctionDefinition } from "../../../local/template/template-function.ts";
import { scratchDirectory } from "../scratch.ts";

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
const { handler: deployed } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
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

/** A function that runs the deployed bundle and tells how much it has done. */
export function countedOf(definition: FunctionDefinition): FunctionDefinition {
  const codePath = scratchDirectory();
  writeFileSync(join(codePath, "index.mjs"), counted(join(definition.codePath, "index.mjs")));
  return { ...definition, codePath };
}

const WORK = '{"work":';

/** The work that a line tells of; undefined for a line of the function's own. */
export const workIn = (line: string): Work | undefined =>
  line.startsWith(WORK) ? (JSON.parse(line) as { readonly work: Work }).work : undefined;
