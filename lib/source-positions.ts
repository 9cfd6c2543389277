import { readFileSync } from "node:fs";
import type { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** A stack frame: the function and its place, which is in parentheses unless the function has no name. */
const FRAME = /^(.*?\(?)(file:\/\/[^()]+|\/[^()]+):(\d+):(\d+)(\)?)$/;

/**
 * Stack frames of a bundle as places in its sources, by the source map beside the bundle; frames without one stay as
 * they are. Maps are read only when there is a fault to describe: with `--enable-source-maps` of Node.js, each cold
 * start would read them.
 */
export function originalFrames(frames: readonly string[]): string[] {
  const maps = new Map<string, SourceMap | undefined>();
  return frames.map((frame) => {
    const [, before = "", file = "", line, column, after = ""] = FRAME.exec(frame) ?? [];
    if (!maps.has(file)) maps.set(file, file === "" ? undefined : readMap(file));
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return frame;
    return `${before}${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}${after}`;
  });
}

function readMap(file: string): SourceMap | undefined {
  try {
    const filePath = file.startsWith("file:") ? fileURLToPath(file) : file;
    // Loaded here for the same reason.
    const { SourceMap } = process.getBuiltinModule("node:module");
    return new SourceMap(JSON.parse(readFileSync(`${filePath}.map`, "utf8")));
  } catch {
    return undefined;
  }
}
