import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)\b/i;

/** The names, versions and licences of libraries, as their licences ask those who hand on a copy to repeat them. */
export async function licenceTexts(directories: readonly string[]): Promise<string> {
  const parts = await Promise.all(directories.map(licenceText));
  return `The code of this package contains the following libraries.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

async function licenceText(directory: string): Promise<string> {
  const {
    name,
    version,
    license = "no licence named",
  } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const files = (await readdir(directory)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  return [`${name} ${version} (${license})\n`, ...texts.map((text) => `\n${text.trim()}\n`)].join("");
}
