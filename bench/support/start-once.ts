import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Timing } from "./pairs.ts";

const RUNNER = path.join(import.meta.dirname, "run-cold.mjs");

/** A bundle to be started, with the environment that it needs. */
export interface Starter {
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** One cold start: CPU of the whole process, and wall time from its creation to its end. */
export interface Start extends Timing {
  /** Wall time of the first request, when the bundle was loaded. */
  readonly firstMs: number;
  /** Resident memory of the process after the request, Node.js included. */
  readonly memoryMb: number;
  /** The lines that the function wrote to its log, without their ends. */
  readonly lines: readonly string[];
}

interface Printed {
  readonly statusCode: number;
  readonly cpuMs: number;
  readonly firstMs: number;
  readonly memoryMb: number;
}

/** Starts a process that loads the bundle and answers the event of a file. @throws {Error} when that answer is not a 200. */
export async function startOnce({ file, environment }: Starter, eventFile: string): Promise<Start> {
  const started = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, file, eventFile], {
    env: environment,
  });
  const wallMs = performance.now() - started;
  const lines = stdout.split("\n").filter((line) => line !== "");
  const printed = JSON.parse(lines.pop() ?? "") as Printed;
  if (printed.statusCode !== 200) throw new Error(`${file} answered ${printed.statusCode}: ${stdout}`);
  const { cpuMs, firstMs, memoryMb } = printed;
  return { wallMs, cpuMs, firstMs, memoryMb, lines };
}
