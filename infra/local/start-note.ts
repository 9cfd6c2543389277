import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Brand, brandEnv } from "../../lib/brand.ts";
import { writePrivateFile } from "./private-file.ts";
import { StartError } from "./start-error.ts";

/** What the last `npm start` on a data directory was told, for commands that work on the directory afterwards. */
export interface StartNote {
  readonly brand: Brand;
  /** Address of the engine that the records are in; the embedded one unless given. */
  readonly engineEndpoint?: string | undefined;
}

/** Name of the note in a data directory. */
export const START_NOTE_NAME = "start.json";

const schema = z.object({
  brand: z.object({
    headerPrefix: brandEnv.HEADER_PREFIX,
    venue: brandEnv.VENUE_CODE,
    ownAccount: brandEnv.OWN_ACCOUNT_WORD,
    versionHeader: brandEnv.VERSION_HEADER,
    basePath: brandEnv.BASE_PATH,
  }),
  engineEndpoint: z.optional(z.string()),
});

const fileIn = (dataDir: string): string => join(dataDir, START_NOTE_NAME);

/** Replaces the note. */
export const writeStartNote = (dataDir: string, note: StartNote): Promise<void> =>
  writePrivateFile(fileIn(dataDir), `${JSON.stringify(note, null, 2)}\n`);

/**
 * The note of a data directory; undefined when `npm start` has never run on it. Throws a `StartError` when what is there
 * is none.
 */
export async function readStartNote(dataDir: string): Promise<StartNote | undefined> {
  const file = fileIn(dataDir);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR"].includes(error.code ?? "")) return undefined;
    throw new StartError(`${file} cannot be read (${error.code}).`, { cause: error });
  });
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartError(`${file} is not what \`npm start\` writes there. Delete it, and start once more.`, {
      cause,
    });
  }
}
