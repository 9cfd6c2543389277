import { readFileSync } from "node:fs";
import type { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { RecentMap } from "./recent-map.ts";

/**
 * A stack frame: the function and its place, which is in parentheses unless the function has no name. Node.js's own places,
 * such as `node:internal/timers:1:2`, are not files.
 */
const FRAME = /^(.* \(|at (?:async )?)(file:\/\/[^()]+|\/[^()]+):(\d+):(\d+)(\)?)$/;

/** A function is one file. Elsewhere, where sources have no maps, a few files are remembered as such. */
const FILES_MAX = 16;

/** The map of each file, once it was read; `none` for a file without one. */
const maps = new RecentMap<string, SourceMap | "none">(FILES_MAX);

/**
 * Stack frames of a bundle as places in its sources, by the source map beside the bundle; frames without one stay as
 * they are. A map is read only when there is a fault to describe: with `--enable-source-maps` of Node.js, each cold
 * start would read it. It is then kept, because to read it takes longer than to answer a request.
 */
export function originalFrames(frames: readonly string[]): string[] {
  return frames.map((frame) => {
    const [, before = "", file, line, column, after = ""] = FRAME.exec(frame) ?? [];
    if (file === undefined) return frame;
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return frame;
    return `${before}${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}${after}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  const map = maps.get(file) ?? readMap(file) ?? "none";
  maps.set(file, map);
  return map === "none" ? undefined : map;
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
