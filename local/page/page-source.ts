import { join } from "node:path";
import type { Places } from "../installation.ts";
import { buildKeptPage, type PageBuildOptions } from "./page-build.ts";
import { type PageFiles, readPageFiles } from "./page-files.ts";

/** Where the page or its sources are, and what a build needs beside them. */
export interface PageSourceOptions
  extends Omit<PageBuildOptions, "projectRoot" | "cacheDirectory" | "signal"> {
  readonly place: Places["page"];
}

/** How far the page is. */
export type PageState =
  | { readonly kind: "building" }
  | { readonly kind: "ready"; readonly files: PageFiles }
  | { readonly kind: "failed" };

/** The page's files, from the moment at which they are there. */
export interface PageSource {
  readonly state: () => PageState;
  /** Ends a build under way. */
  close(): Promise<void>;
}

/**
 * Begins to make the page ready, and returns at once. A package has it built; in a clone it is built from the sources
 * unless they have not changed.
 *
 * @param failed receives why the page cannot be shown.
 */
export function openPageSource(options: PageSourceOptions, failed: (reason: string) => void): PageSource {
  const ending = new AbortController();
  let state: PageState = { kind: "building" };
  const settle = async (): Promise<void> => {
    try {
      state = { kind: "ready", files: await readOrBuild(options, ending.signal) };
    } catch (error) {
      if (ending.signal.aborted) return;
      state = { kind: "failed" };
      failed(error instanceof Error ? error.message : String(error));
    }
  };
  const settled = settle();
  return {
    state: () => state,
    close: async () => {
      ending.abort();
      await settled;
    },
  };
}

function readOrBuild({ place, ...parts }: PageSourceOptions, signal: AbortSignal): Promise<PageFiles> {
  if ("readyPage" in place) return readPageFiles(place.readyPage);
  const { projectRoot } = place;
  const cacheDirectory = join(projectRoot, "node_modules/.cache/countinghouse-page");
  return buildKeptPage({ ...parts, projectRoot, cacheDirectory, signal });
}
