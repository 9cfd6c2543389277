import { randomUUID } from "node:crypto";
import { cp, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isWhole } from "./assembly-seal.ts";

/** Assemblies that are kept for another start: one for each brand or branch that somebody goes back and forth between. */
const KEPT_MAX = 4;
/** What is still a draft after so long was left by a process that was killed. */
const DRAFT_MS_MAX = 3_600_000;

/**
 * Copies of assemblies for other starts, by the digest of what they were made from. Other starts, other checkouts and
 * other users work on it at the same time, and some are killed: so nothing that is copied from it is believed before it
 * was found whole, and what cannot be written is left undone.
 */
export class AssemblyCache {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Makes a directory of an assembly's copy. @returns whether that is whole; if not it is gone again. */
  async copyTo(directory: string, madeFrom: string): Promise<boolean> {
    await cp(this.#pathOf(madeFrom), directory, { recursive: true }).catch(() => {});
    if (await isWhole(directory, madeFrom)) return true;
    await rm(directory, { recursive: true, force: true });
    return false;
  }

  /** Keeps a copy of an assembly, in place of one that is not whole. */
  async keep(directory: string, madeFrom: string): Promise<void> {
    const draft = this.#draftOf(madeFrom);
    try {
      await mkdir(this.#directory, { recursive: true });
      await cp(directory, draft, { recursive: true });
      await this.#remove(madeFrom);
      await rename(draft, this.#pathOf(madeFrom));
    } catch {
      // The next start makes it again.
      await rm(draft, { recursive: true, force: true }).catch(() => {});
    }
  }

  /** Notes that an assembly is wanted, and removes those that were not for longest, and forgotten drafts. */
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

  /** Takes an assembly away at once, however long its files take: what has its name is whole, or is being made. */
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

/** Digests have no dot. */
const isDraft = ({ name }: { readonly name: string }): boolean => name.includes(".");
