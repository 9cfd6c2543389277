import { isAbsolute, relative } from "node:path";

/** A path as a person in a directory would type it: from the directory if it lies below, else from the root. */
export function shownPath(path: string, directory: string): string {
  const way = relative(directory, path);
  return way === "" || way.startsWith("..") || isAbsolute(way) ? path : way;
}
