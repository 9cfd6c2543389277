import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { commands } from "../../../local/installation.ts";
import { codeOf } from "../../../local/process/operator-error.ts";
import { describeHolder, isElsewhere, readHolder } from "../../../local/store/data-lock.ts";
import { readStartNote } from "../../../local/store/start-note.ts";
import { type Found, fail, ok, warn } from "../finding.ts";

const MIB = 1024 ** 2;
const WARNED_BYTES = 1_024 * MIB;
const NEEDED_BYTES = 100 * MIB;

/** Whether a data directory is there and can be written to. */
export async function checkDirectory(data: string): Promise<Found> {
  try {
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(`${data} can be read and written`);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT")
      return fail(
        `there is no ${data}`,
        `Run \`${commands.start}\` once, or name its directory with --data.`,
      );
    return fail(
      `${data} cannot be written (${code})`,
      `Give it to the user who runs \`${commands.start}\`, or name another with --data.`,
    );
  }
}

/** Judges the free bytes of a disk. */
export function judgeSpace(freeBytes: number): Found {
  const text = `${Math.floor(freeBytes / MIB).toLocaleString("en")} MiB are free`;
  const todo =
    "Make room, or move the directory to another disk and name it with --data. A full disk stops writes and loses none that was answered.";
  if (freeBytes < NEEDED_BYTES) return fail(text, todo);
  return freeBytes < WARNED_BYTES ? warn(text, todo) : ok(text);
}

/** Whether the disk of a data directory has room. */
export async function checkSpace(data: string): Promise<Found> {
  const { bavail, bsize } = await statfs(data);
  return judgeSpace(bavail * bsize);
}

/** Which process holds a data directory. */
export async function checkLock(data: string): Promise<Found> {
  const holder = await readHolder(data);
  if (holder === undefined) return ok("no process holds it");
  if (!isElsewhere(holder)) return ok(`held by ${describeHolder(holder)}`);
  return warn(
    `held by ${describeHolder(holder)}`,
    "Run commands there, or stop it. Two machines must not use one directory.",
  );
}

/** Which engine has the records. */
export async function checkEngine(data: string): Promise<Found> {
  const { engineEndpoint } = (await readStartNote(data)) ?? {};
  return ok(engineEndpoint === undefined ? `embedded, in ${data}` : `the DynamoDB at ${engineEndpoint}`);
}
