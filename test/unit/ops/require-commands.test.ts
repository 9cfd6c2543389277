import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { buildProgram } from "../../../ops/program.ts";
import { requireCommands } from "../../../ops/require-commands.ts";

/** What is printed about a command line, whose commands are checked but not run. */
async function complaintOf(...args: readonly string[]): Promise<string> {
  const program = await buildProgram(args[0]);
  let printed = "";
  const capture = (command: Command): void => {
    const writeErr = (text: string): void => {
      printed += text;
    };
    command.configureOutput({ writeErr });
    command.commands.forEach(capture);
  };
  capture(program);
  try {
    requireCommands(program, args);
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 1, code: "commander.error" });
  }
  return printed;
}

describe("a word in a command's place", () => {
  test.each([
    [["help", "bogus"], "error: unknown command 'bogus'\n"],
    [["bogus", "--help"], "error: unknown command 'bogus'\n"],
    [["help", "chek-pass"], "error: unknown command 'chek-pass'\n(Did you mean check-pass?)\n"],
    [["demo", "fualt", "--help"], "error: unknown command 'fualt'\n(Did you mean fault?)\n"],
    [["help", "keys", "create", "rmap"], "error: unknown command 'rmap'\n"],
    [["demo", "help", "bogus"], "error: unknown command 'bogus'\n"],
  ])("%j that is not a command is refused, with the nearest", async (args, complaint) => {
    expect(await complaintOf(...args)).toContain(complaint);
  });

  test.each([
    [[]],
    [["help"]],
    [["--version"]],
    [["help", "demo", "fault"]],
    [["demo", "fault", "get-sell-order", "503"]],
    [["demo", "fault", "clear", "bogus"]],
    [["check-pass", "bogus", "--help"]],
    [["keys", "create", "--help"]],
  ])("%j passes", async (args) => {
    expect(await complaintOf(...args)).toBe("");
  });
});
