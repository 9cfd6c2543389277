import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildProgram } from "../../ops/program.ts";
import { temporaryDirectory } from "./operator.ts";

/** A call of every command that needs an existing store. */
export const READERS: readonly string[] = [
  "keys list",
  "keys label ramp-key#0a1b2c3d4e5f servers",
  "keys rotate ramp-key#0a1b2c3d4e5f",
  "keys revoke ramp-key#0a1b2c3d4e5f",
  "markets list",
  "switch",
  "switch status",
  "passes show demo-1",
  "passes void demo-1 --yes",
  "subjects allow acme",
  "subjects list",
  `sign GET http://h/x --explain -H X-Svc-API-Key:${"k".repeat(64)}`,
  "import trades empty --market BTC-USD --withdraw",
  "segments check BTC-USD",
  "segments compact BTC-USD",
  "segments take-out BTC-USD#649/00",
  "import list",
  "import undo imp-20261129-k7f3 --yes",
  "audit list",
  "tenants list",
  "erase business acme --yes",
  "erase partner acme --yes",
  "erase pass demo-1 --yes",
];

/** A call of every command that may create a store. */
export const WRITERS: readonly string[] = [
  "import transactions empty --business acme",
  "import sell-orders empty --partner acme",
  "import passes empty",
  "import trades empty --market BTC-USD",
  "markets put BTC-USD",
  "switch get-pass off --reason x",
  "switch get-pass on",
  "subjects block acme",
  "keys create ramp --partner acme",
  "keys create exchange --public-key public.hex",
  "keys create passes --jwk public.jwk",
  "passes publish pass.json",
];

/** Commands that say something else where the store is missing or silent: they need queues, or tell what is wrong. */
export const OTHERS: readonly string[] = [
  "doctor",
  "status",
  "redrive",
  "rejected list",
  "rejected export",
  "send transactions",
  "send sell-orders",
  "send passes",
  "send trades",
  "send markets",
];

const PUBLIC_KEY = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";
const x = Buffer.from(PUBLIC_KEY, "hex").toString("base64url");
const FILES: Readonly<Record<string, string>> = {
  empty: "",
  "public.hex": PUBLIC_KEY,
  "public.jwk": JSON.stringify({ kty: "OKP", crv: "Ed25519", kid: "wallet-1", x }),
  "pass.json": '{"partner_reference":"demo-1","type":"loyalty_pass","version":1}',
};

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
