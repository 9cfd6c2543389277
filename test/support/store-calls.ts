import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildProgram } from "../../ops/program.ts";
import { temporaryDirectory } from "./operator.ts";

/** Calls that need an existing store: the runner opens it for each command, but for those that say more than `on` does. */
export const READERS: readonly string[] = [
  "keys list",
  "switch status",
  "subjects allow acme",
  `sign GET http://h/x --explain -H X-Svc-API-Key:${"k".repeat(64)}`,
  "import trades empty --market BTC-USD --withdraw",
];

/** Calls that may make a store. */
export const WRITERS: readonly string[] = [
  "keys create ramp --partner acme",
  "switch get-pass off --reason x",
  "subjects block acme",
  "import passes empty",
];

const FILES: Readonly<Record<string, string>> = { empty: "" };

/** A place for a data directory, and the files that the calls name. */
export async function placeOfCalls() {
  const directory = await temporaryDirectory();
  const data = join(directory.path, "data");
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(directory.path, name), text);
  const pathed = (word: string) => (word in FILES ? join(directory.path, word) : word);
  return {
    data,
    /** Runs a call, on the data directory unless `where` names another store. */
    run: async (call: string, where: readonly string[] = ["--data", data]) => {
      const args = [...call.split(" ").map(pathed), ...where];
      const program = await buildProgram(args[0]);
      await program.parseAsync(args, { from: "user" });
    },
    [Symbol.asyncDispose]: directory[Symbol.asyncDispose],
  };
}
