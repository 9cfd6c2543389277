import type { Command } from "commander";
import { nearestName } from "../lib/http/nearest-name.ts";

/**
 * Refuses a word that stands where a command is named and is none. Commander does so itself, but answers a request for the
 * help of such a word with the help of everything.
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
