import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ComparedTemplate, findReplacements } from "./find-replacements.ts";

/** `node infra/replacements/main.ts <before> <after>` compares the templates of two directories of `cdk synth`. */
const [before, after] = process.argv.slice(2);

const templatesIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.endsWith(".template.json"));

const read = (directory: string, name: string): ComparedTemplate =>
  JSON.parse(readFileSync(join(directory, name), "utf8"));

if (before === undefined || after === undefined) {
  console.error("Give two directories of cdk synth: node infra/replacements/main.ts <before> <after>");
  process.exit(2);
}

const kept = new Set(templatesIn(after));
const found = templatesIn(before).flatMap((name) =>
  findReplacements(read(before, name), kept.has(name) ? read(after, name) : {}),
);
for (const sentence of found) console.error(sentence);
if (found.length > 0) {
  console.error("docs/deployment.md says why, and what to do instead: What stays in a stage.");
  process.exitCode = 1;
} else console.log("No table and no other lasting resource would be replaced or deleted.");
