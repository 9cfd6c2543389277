import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parsedJson } from "../../lib/json-value.ts";
import { dataNames } from "../store/data-files.ts";
import { readPrivateFile, writePrivateFile } from "../store/private-file.ts";

const schema = z.object({
  /** The process that listens. A killed process leaves its file behind, and another holds the directory later. */
  pid: z.number(),
  endpoint: z.string(),
  key: z.string(),
  /** Where programs find the queues. */
  queues: z.optional(z.object({ endpoint: z.string(), url: z.string() })),
});

/** The address and the key of a control channel, and the process that serves it. */
export type ControlAddress = Readonly<z.infer<typeof schema>>;

/** Writes the address of this process's control channel, in a file that only its owner may read. */
export const writeControlFile = (dataDir: string, address: Omit<ControlAddress, "pid">): Promise<void> =>
  writePrivateFile(dataDir, dataNames.control, `${JSON.stringify({ pid: process.pid, ...address })}\n`);

/** The address that a data directory names; undefined for none, and for a file that holds something else. */
export async function readControlFile(dataDir: string): Promise<ControlAddress | undefined> {
  const text = await readPrivateFile(dataDir, dataNames.control);
  return schema.safeParse(parsedJson(text ?? "")).data;
}

/** Removes the address of a data directory. */
export const forgetControlFile = (dataDir: string): Promise<void> =>
  rm(join(dataDir, dataNames.control), { force: true });
