import { globSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";

/** The top of the project. */
export const projectRoot = resolve(import.meta.dirname, "../..");

/** The absolute path of a file of the project, from its path below the top. */
export const projectPath = (file: string): string => join(projectRoot, file);

/** The text of a file of the project. */
export const projectText = (file: string): string => readFileSync(projectPath(file), "utf8");

/** The files of the project that have one of these patterns, as paths below the top, with slashes. */
export const projectFiles = (
  patterns: string | readonly string[],
  exclude: readonly string[] = [],
): string[] => globSync(patterns, { cwd: projectRoot, exclude }).map((file) => file.split(sep).join("/"));
