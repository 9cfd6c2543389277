import type { Command } from "commander";
import { passDocument } from "../../lib/passes/pass-document.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { addImportCommand } from "./import-command.ts";
import { journaledPut } from "./journal/journaled-put.ts";
import { rehearsedPut } from "./rehearsed-put.ts";

/** `import passes`: passes to publish, from a file of one JSON document a line. */
export function importPasses(group: Command): void {
  addImportCommand(group, {
    name: "passes",
    summary: "publish passes from a file",
    shape: passDocument,
    rehearsalOf: ({ table }, _owner, intake) => {
      const register = new PassRegister(table("Passes"), rehearsedPut());
      return (text) => putPass(register, text, intake);
    },
    writerOf: ({ table }, _owner, intake, journal) => {
      const register = new PassRegister(table("Passes"), journaledPut(table("Passes"), journal));
      return (text) => putPass(register, text, intake);
    },
  });
}
