import { randomUUID } from "node:crypto";
import { cp, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isWhole } from "./assembly-seal.ts";

/** Assemblies kept for later starts: enough for the brands or branches that a developer switches between. */
const KEPT_MAX = 4;
/** A draft of this age was left by a process that was killed. */
const DRAFT_MS_MAX = 3_600_000;

/**
 * Keeps copies of assemblies for other starts, by the digest of their sources. Other starts, checkouts and users may
 * work on the cache at the same time, and may be killed: a copy is used only after it was found whole, and a failed
 * write is ignored.
 */
export class AssemblyCache {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Copies an assembly into a directory. @returns whether the copy is whole; one that is not is removed again. */
  async copyTo(directory: string, madeFrom: string): Promise<boolean> {
    await cp(this.#pathOf(madeFrom), directory, { recursive: true }).catch(() => {});
    if (await isWhole(directory, madeFrom)) return true;
    await rm(directory, { recursive: true, force: true });
    return false;
  }

  /** Keeps a copy of an assembly, and replaces one that is not whole. */
  async keep(directory: string, madeFrom: string): Promise<void> {
    const draft = this.#draftOf(madeFrom);
    try {
      await mkdir(this.#directory, { recursive: true });
      await cp(directory, draft, { recursive: true });
      await this.#remove(madeFrom);
      await rename(draft, this.#pathOf(madeFrom));
    } catch {
      // Without a kept copy, the next start synthesizes again.
      await rm(draft, { recursive: true, force: true }).catch(() => {});
    }
  }

  /** Marks an assembly as used, and removes the least recently used ones and abandoned drafts. */
  async prune(madeFrom: string): Promise<void> {
    const now = this.#clock();
    await utimes(this.#pathOf(madeFrom), now / 1000, now / 1000).catch(() => {});
    const names = await readdir(this.#directory).catch(() => []);
    const dated = await Promise.all(
      names.map(async (name) => ({ name, wantedMs: await this.#wantedMs(name) })),
    );
    const newestFirst = dated.sort((one, other) => other.wantedMs - one.wantedMs);
    const [drafts, kept] = [newestFirst.filter(isDraft), newestFirst.filter((entry) => !isDraft(entry))];
    for (const { name } of kept.slice(KEPT_MAX)) await this.#remove(name).catch(() => {});
    for (const { name, wantedMs } of drafts)
      if (now - wantedMs > DRAFT_MS_MAX) await this.#discard(name).catch(() => {});
  }

  /** Renames an assembly before it deletes the files, so that no half-deleted assembly has the name. */
  async #remove(name: string): Promise<void> {
    const draft = this.#draftOf(name);
    try {
      await rename(this.#pathOf(name), draft);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    await rm(draft, { recursive: true, force: true });
  }

  #discard(name: string): Promise<void> {
    return rm(this.#pathOf(name), { recursive: true, force: true });
  }

  async #wantedMs(name: string): Promise<number> {
    return (await stat(this.#pathOf(name)).catch(() => undefined))?.mtimeMs ?? 0;
  }

  #pathOf(name: string): string {
    return join(this.#directory, name);
  }

  #draftOf(name: string): string {
    return `${this.#pathOf(name)}.${randomUUID()}`;
  }
}

/** The names of drafts have a dot, digests do not. */
const isDraft = ({ name }: { readonly name: string }): boolean => name.includes(".");
