import type { Command } from "commander";
import { nearestName } from "../lib/http/nearest-name.ts";

/**
 * Rejects unknown commands. Commander does too, except that `unknown --help` prints the help of the whole program.
 *
 * @throws {CommanderError} with the nearest command's name, after it was printed.
 */
export function requireCommands(program: Command, args: readonly string[]): void {
  let command = program;
  for (const word of args) {
    const takesWord = command.commands.length > 0 && command.registeredArguments.length === 0;
    if (!takesWord || word.startsWith("-")) return;
    if (word === "help") continue;
    const found = command.commands.find((one) => one.name() === word);
    command = found ?? refuse(command, word);
  }
}

function refuse(command: Command, word: string): never {
  const near = nearestName(
    word,
    command.commands.map((one) => one.name()),
  );
  const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
  return command.error(`error: unknown command '${word}'${hint}`);
}
