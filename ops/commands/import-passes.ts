import type { Command } from "commander";
import { passDocument } from "../../lib/passes/pass-document.ts";
import { PassRehearsal } from "../../lib/passes/pass-rehearsal.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { addImportCommand } from "../import/import-command.ts";
import { JournaledPasses } from "../import/journal/journaled-passes.ts";

/** `import passes`: passes to publish, from a file of one JSON document a line. */
export function importPasses(group: Command): void {
  addImportCommand(group, {
    name: "passes",
    summary: "publish passes from a file",
    shape: passDocument,
    rehearsalOf: ({ table }, _owner, intake) => {
      const rehearsal = new PassRehearsal(new PassStore(table("Passes")));
      return (text) => putPass(rehearsal, text, intake);
    },
    writerOf: ({ table }, _owner, intake, journal) => {
      const register = new JournaledPasses(table("Passes"), journal);
      return (text) => putPass(register, text, intake);
    },
  });
}
