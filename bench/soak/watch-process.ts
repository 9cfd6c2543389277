import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";

/** What a process holds at an instant. */
export interface ProcessUse {
  readonly residentMb: number;
  /** Open files and sockets; undefined where the system does not show them. */
  readonly openFiles: number | undefined;
}

/** Looks at a running process. Throws when it has ended. */
export async function useOf(pid: number): Promise<ProcessUse> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  const files = await readdir(`/proc/${pid}/fd`).catch(() => undefined);
  return { residentMb: Math.round(Number(stdout) / 1_024), openFiles: files?.length };
}
