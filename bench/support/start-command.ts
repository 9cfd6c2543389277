import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

export interface StartedService {
  readonly child: ChildProcess;
  /** The lines that were printed until the service was ready. */
  readonly announced: readonly string[];
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Runs the command of `npm start` as a process of its own, in this project or a copy of it, and waits until it is
 * ready.
 */
export async function startCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  project = process.cwd(),
): Promise<StartedService> {
  const { PATH = "" } = process.env;
  const { scripts } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  const [, ...parameters] = scripts.start.split(" ");
  const child = spawn(process.execPath, [...parameters, ...argv], {
    cwd: project,
    env: { PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const complaints = text(child.stderr);
  const announced: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    announced.push(line);
    if (line.startsWith("Ctrl-C stops"))
      return { child, announced, stop: (signal = "SIGTERM") => stop(child, signal) };
  }
  throw new Error(`It ended before it answered: ${await complaints}`);
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.stdout?.resume();
  if (child.exitCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}
