import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { commands } from "../../local/installation.ts";

const [NODE = process.execPath, ...WORDS] = commands.fromAnywhere.direct;

/** Runs the operator's command line on a local store, as an operator does. Resolves with its standard output. */
export async function runOps(dataDir: string, argv: readonly string[]): Promise<string> {
  const child = spawn(NODE, [...WORDS, ...argv, "--data", dataDir], { stdio: ["ignore", "pipe", "pipe"] });
  const [output, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`\`${argv.join(" ")}\` ended with ${code}: ${complaints.trim()}`);
  return output;
}
