import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const directories: string[] = [];

// Registered before any hook of the test file itself, so it runs after all of them.
afterAll(() => {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A new empty directory, which is removed after the test file has run. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "countinghouse-scratch-"));
  directories.push(path);
  return path;
}
