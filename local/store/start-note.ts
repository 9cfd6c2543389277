import { join } from "node:path";
import * as z from "zod/mini";
import { type Brand, brandMembers } from "../../lib/brand.ts";
import { commands } from "../installation.ts";
import { StartError } from "../process/start-error.ts";
import { dataNames } from "./data-files.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/** Settings of the last `npm start` on a data directory, for commands that work on the directory afterwards. */
export interface StartNote {
  readonly brand: Brand;
  /** Address of the engine that has the records; absent for the embedded one. */
  readonly engineEndpoint?: string | undefined;
  /** How many milliseconds the service's time is ahead of the machine's; absent for none. */
  readonly aheadMs?: number | undefined;
}

const schema = z.object({
  brand: z.object(brandMembers),
  engineEndpoint: z.optional(z.string()),
  aheadMs: z.optional(z.int()),
});

/** Replaces the note of a data directory. */
export const writeStartNote = (dataDir: string, note: StartNote): Promise<void> =>
  writePrivateFile(dataDir, dataNames.startNote, `${JSON.stringify(note, null, 2)}\n`);

/**
 * The note of a data directory; undefined when `npm start` has never run on it. Throws a `StartError` when the file
 * holds something else.
 */
export async function readStartNote(dataDir: string): Promise<StartNote | undefined> {
  const text = await readPrivateFile(dataDir, dataNames.startNote);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const file = join(dataDir, dataNames.startNote);
    throw new StartError(`${file} is not a note of \`${commands.start}\`. Delete the file and start again.`, {
      cause,
    });
  }
}
