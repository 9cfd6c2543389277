import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const directories: string[] = [];

/** Removes the directories of a test file. Files that share a process load this module once (`leave-nothing-behind.ts`). */
export function removeScratchDirectories(): void {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
}

// Registered before any hook of the test file itself, so it runs after all of them.
afterAll(removeScratchDirectories);

/** A new empty directory, which is removed after the test file has run. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "countinghouse-scratch-"));
  directories.push(path);
  return path;
}
