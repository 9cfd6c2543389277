import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FunctionDefinition } from "../../../local/template/template-function.ts";
import { scratchDirectory } from "../scratch.ts";

/** How a thread ends: as a killed process does, or because it wants more memory than there is. */
export type EndOfThread = "killed" | "out of memory";

/** The header of a request, or the attribute of a message, in whose middle the thread ends. */
export const END_HEADER = "x-ends-by";

const MEMORY_MB = 40;

/** The deployed function, which has begun its work when it ends. */
const fragile = (bundle: string): string => `
import { handler as deployed } from ${JSON.stringify(pathToFileURL(bundle).href)};
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

/** A function with little memory, which runs the deployed bundle and ends where a request or a message says so. */
export function fragileOf(definition: FunctionDefinition): FunctionDefinition {
  const codePath = scratchDirectory();
  writeFileSync(join(codePath, "index.mjs"), fragile(join(definition.codePath, "index.mjs")));
  return { ...definition, codePath, memoryMb: MEMORY_MB };
}
