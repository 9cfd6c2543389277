import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Table } from "../../lib/dynamo/table.ts";
import { heldStore } from "./held-store.ts";
import { runOperator } from "./operator.ts";
import { withStore } from "./with-store.ts";

/** The operator's commands on keys, in a store of their own. */
export async function keyring() {
  const { path, data, content, [Symbol.asyncDispose]: end } = await heldStore();
  const run = (...args: string[]) => runOperator(["keys", ...args, "--data", data]);
  const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
  const rows = async (): Promise<Record<string, unknown>[]> => await json("list");
  return {
    data,
    run,
    /** What a command prints for programs. */
    json,
    /** Issues a ramp key to a partner. */
    create: (...args: string[]) => json("create", "ramp", "--partner", "acme", ...args),
    /** Writes a file that a command reads. @returns its path. */
    file: async (name: string, text: string): Promise<string> => {
      await writeFile(join(path, name), text);
      return join(path, name);
    },
    rows,
    row: async (id: string) => (await json("list")).find((row: { id: string }) => row.id === id),
    /** Works on the table of credentials, or on another one. */
    on: <Done>(work: (table: Table) => Promise<Done>, name: "Credentials" | "RateLimits" = "Credentials") =>
      withStore({ data }, ({ table }) => work(table(name))),
    everythingStored: async () => JSON.stringify(await content.read()),
    [Symbol.asyncDispose]: end,
  };
}

/** A new public key, as the JWK that its owner hands over. */
export const publicJwk = (kid: string): string =>
  JSON.stringify({ ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }), kid });
