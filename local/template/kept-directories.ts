import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/**
 * Directories that starts keep for each other, by the digests of what each was made from. Other starts may work beside
 * them at the same time, and may be killed. A directory comes by the renaming of a draft, and goes by becoming one.
 */

/** A draft of this age was left by a process that was killed. */
const DRAFT_MS_MAX = 3_600_000;

/** A name for a draft beside a kept directory. The names of drafts have a dot, digests do not. */
export const draftOf = (kept: string): string => `${kept}.${randomUUID()}`;

const isDraft = ({ name }: { readonly name: string }): boolean => name.includes(".");

/** Removes a kept directory, if it is there. It is renamed first, so that no half-deleted one has its name. */
export async function removeKept(kept: string): Promise<void> {
  const draft = draftOf(kept);
  try {
    await rename(kept, draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await rm(draft, { recursive: true, force: true });
}

/** Marks a kept directory as used, and removes the least recently used ones and abandoned drafts, as far as it can. */
export async function pruneKept(
  directory: string,
  used: string,
  { nowMs, keptMax }: { readonly nowMs: number; readonly keptMax: number },
): Promise<void> {
  await utimes(join(directory, used), nowMs / 1000, nowMs / 1000).catch(() => {});
  const names = await readdir(directory).catch(() => []);
  const dated = await Promise.all(
    names.map(async (name) => ({ name, usedMs: await usedMsOf(join(directory, name)) })),
  );
  const newestFirst = dated.sort((one, other) => other.usedMs - one.usedMs);
  const [drafts, kept] = [newestFirst.filter(isDraft), newestFirst.filter((entry) => !isDraft(entry))];
  for (const { name } of kept.slice(keptMax)) await removeKept(join(directory, name)).catch(() => {});
  for (const { name, usedMs } of drafts)
    if (nowMs - usedMs > DRAFT_MS_MAX)
      await rm(join(directory, name), { recursive: true, force: true }).catch(() => {});
}

const usedMsOf = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
