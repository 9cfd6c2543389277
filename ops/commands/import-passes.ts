import type { Command } from "commander";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { publishPass } from "../../lib/passes/publish-pass.ts";
import { addImportCommand } from "../import/import-command.ts";

/** `import passes`: passes to publish, from a file of one JSON document a line. */
export function importPasses(group: Command): void {
  addImportCommand(group, {
    name: "passes",
    summary: "publish passes from a file",
    writerOf: ({ client, tableName }, _owner, intake) => {
      const register = new PassRegister(client, tableName("Passes"));
      return (text) => publishPass(register, text, intake);
    },
  });
}
