import { type Command, CommanderError } from "commander";
import { describe, expect, test, vi } from "vitest";
import { buildProgram } from "../../../ops/program.ts";

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const pathOf = (command: Command): string =>
  command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

/** The text that a command line prints on standard output before it ends. */
async function printedBy(args: readonly string[]): Promise<string> {
  const program = buildProgram();
  let printed = "";
  const capture = (command: Command) => {
    const writeOut = (text: string) => {
      printed += text;
    };
    command.configureOutput({ writeOut, writeErr: () => {} });
    command.commands.forEach(capture);
  };
  capture(program);
  await expect(program.parseAsync(args, { from: "user" })).rejects.toThrow(CommanderError);
  return printed;
}

/** The options of commands that do not work on a store, in place of the store's. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  "check-pass": ["<url>", "--token-file <file>", "--jws-key <file>", "--cert <file>"],
  poll: ["<url>", "--token-file <file>", "--jws-key <file>", "--cert <file>"],
  "sign-pass": ["<path>", "--jws-key <file>"],
};

describe("the command line", () => {
  const paths = leavesOf(buildProgram()).map(pathOf);

  test("has these commands", () => {
    expect(paths.sort()).toEqual([
      "check-pass",
      "import passes",
      "import sell-orders",
      "import trades",
      "import transactions",
      "keys create exchange",
      "keys create passes",
      "keys create ramp",
      "keys list",
      "keys revoke",
      "markets list",
      "markets put",
      "passes publish",
      "passes show",
      "passes void",
      "poll",
      "sign",
      "sign-pass",
      "subjects allow",
      "subjects block",
      "switch",
      "trades check",
      "trades compact",
      "trades remove-damaged",
    ]);
  });

  test.each(paths)(
    "explains %s with an example of itself, its exit codes, and where it works",
    async (path) => {
      const help = await printedBy([...path.split(" "), "--help"]);
      expect(help).toMatch(new RegExp(`\\nExamples?:\\n(?:.*\\n)*  .*npm run (?:--silent )?ops -- ${path}`));
      expect(help).toMatch(/\nExit codes: 0 .*\n/);
      const where = optionsOf[path] ?? ["--data <directory>", "--stage <name>"];
      for (const option of where) expect(help).toContain(option);
    },
  );

  test("explains itself", async () => {
    expect(await printedBy(["--help"])).toMatch(/import(?:.*\n)+.*switch(?:.*\n)+.*keys(?:.*\n)+Exit codes:/);
  });
});

test.each(["", " "])(
  "a data directory without a name (%j) is refused, whatever the command is",
  async (name) => {
    const said = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    const run = buildProgram().parseAsync(["keys", "list", "--data", name], { from: "user" });
    await expect(run).rejects.toMatchObject({ code: "commander.invalidArgument" });
    expect(said.mock.calls.join()).toContain("is a variable not set?");
    said.mockRestore();
  },
);
