import { join } from "node:path";
import type { Places } from "../installation.ts";
import { buildKeptPage, type PageBuildOptions } from "./page-build.ts";
import { type PageFiles, readPageFiles } from "./page-files.ts";

/** Where the page or its sources are, and what a build needs beside them. */
export interface PageSourceOptions
  extends Omit<PageBuildOptions, "projectRoot" | "cacheDirectory" | "building" | "signal"> {
  readonly place: Places["page"];
}

/** How far the page is. */
export type PageState =
  | { readonly kind: "building" }
  | { readonly kind: "ready"; readonly files: PageFiles }
  | { readonly kind: "failed" };

/** The page's files, from the moment at which somebody has asked for them. */
export interface PageSource {
  /**
   * Begins to make the page ready, unless somebody has asked before. Resolves with how far the page is, as soon as it is
   * known whether it has to be built.
   */
  state(): Promise<PageState>;
  /** Ends a build under way. */
  close(): Promise<void>;
}

/** Receives what a person has to know. */
export interface PageWitness {
  /** Called when a build begins. */
  readonly building: () => void;
  /** Called with the reason why the page cannot be shown. */
  readonly failed: (reason: string) => void;
}

/**
 * The page of a package has been built; in a clone it is built from the sources unless they have not changed. Nothing
 * happens before somebody asks.
 */
export function openPageSource(options: PageSourceOptions, witness: PageWitness): PageSource {
  const ending = new AbortController();
  const known = Promise.withResolvers<void>();
  let state: PageState = { kind: "building" };
  let settled: Promise<void> | undefined;
  const building = (): void => {
    witness.building();
    known.resolve();
  };
  const settle = async (): Promise<void> => {
    try {
      state = { kind: "ready", files: await readOrBuild({ ...options, building }, ending.signal) };
    } catch (error) {
      if (ending.signal.aborted) return;
      state = { kind: "failed" };
      witness.failed(error instanceof Error ? error.message : String(error));
    } finally {
      known.resolve();
    }
  };
  return {
    state: async () => {
      settled ??= settle();
      await known.promise;
      return state;
    },
    close: async () => {
      ending.abort();
      await settled;
    },
  };
}

/** The page's files, built before, now or by another start. */
export function readOrBuild(
  { place, ...parts }: PageSourceOptions & Pick<PageBuildOptions, "building">,
  signal: AbortSignal,
): Promise<PageFiles> {
  if ("readyPage" in place) return readPageFiles(place.readyPage);
  const { projectRoot } = place;
  const cacheDirectory = join(projectRoot, "node_modules/.cache/countinghouse-page");
  return buildKeptPage({ ...parts, projectRoot, cacheDirectory, signal });
}
