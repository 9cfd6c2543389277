import { type Command, CommanderError } from "commander";
import { describe, expect, test, vi } from "vitest";
import { buildProgram } from "../../../ops/program.ts";

/** The commands that do something. One of them may have commands below it, as `demo fault` has `clear`. */
const actsOf = (command: Command): Command[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
  ...command.commands.flatMap(actsOf),
];

const pathOf = (command: Command): string =>
  command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

/** The commands of the demo but the partner, which is a server of its own and knows no service. */
const steeringCommands = actsOf(await buildProgram())
  .map(pathOf)
  .filter((path) => path.startsWith("demo ") && path !== "demo partner");

/** The text that a command line prints on standard output before it ends. */
async function printedBy(args: readonly string[]): Promise<string> {
  const program = await buildProgram(args[0]);
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
  "check-client": ["[command...]", "--interface <name>", "--port <number>", "--copy <file>"],
  "demo partner": ["--port <number>", "--fault <name>"],
  compare: ["--left <address>", "--right-credentials <file>", "--data <directory>", "--list"],
  "check-pass": ["<url>", "--token-file <file>", "--jws-key <file>", "--cert <file>"],
  poll: ["<url>", "--token-file <file>", "--jws-key <file>", "--cert <file>"],
  "restore plan": ["<table>", "--stage <name>", "--to <time>", "--as <name>"],
  "sign-pass": ["<path>", "--jws-key <file>"],
  schema: ["<kind>", "--example", "--json"],
  token: ["--data <directory>", "--business <id>", "--wallet [id]", "--json"],
  explain: ["<id>", "--data <directory>", "--json"],
  "demo curl": ["--data <directory>", "--shell <name>"],
  "get trades": ["--url <address>", "--data <directory>", "--api-key-file <file>", "--private-key <file>"],
  "get transactions": ["--url <address>", "--data <directory>", "--token-file <file>"],
  "get transaction": ["--url <address>", "--data <directory>", "--token-file <file>"],
  "get sell-order": ["--url <address>", "--data <directory>", "--api-key-file <file>"],
  "get pass": ["--url <address>", "--data <directory>", "--token-file <file>", "--jws-key <file>"],
  "get verify": ["--url <address>", "--data <directory>", "--token-file <file>", "--private-key <file>"],
};

/** The options that say where a command works. The demo's commands work on no stage. */
const placeOf = (path: string): readonly string[] =>
  optionsOf[path] ?? ["--data <directory>", ...(path.startsWith("demo ") ? [] : ["--stage <name>"])];

/** Runs a command line in this process. */
async function run(args: readonly string[]): Promise<void> {
  const program = await buildProgram(args[0]);
  await program.parseAsync(args, { from: "user" });
}

describe("the command line", async () => {
  const paths = actsOf(await buildProgram()).map(pathOf);

  test.each(paths)("has the same `%s` when only its own files are loaded", async (path) => {
    const [first = ""] = path.split(" ");
    const own = actsOf(await buildProgram(first)).map(pathOf);
    expect(own).toEqual(paths.filter((other) => other === first || other.startsWith(`${first} `)));
  });

  test("has these commands", () => {
    expect(paths.sort()).toEqual([
      "audit list",
      "check-client",
      "check-pass",
      "compare",
      "demo advance",
      "demo curl",
      "demo fault",
      "demo fault clear",
      "demo faults",
      "demo partner",
      "demo reset",
      "demo trades",
      "doctor",
      "erase business",
      "erase partner",
      "erase pass",
      "explain",
      "get pass",
      "get sell-order",
      "get trades",
      "get transaction",
      "get transactions",
      "get verify",
      "import list",
      "import passes",
      "import sell-orders",
      "import trades",
      "import transactions",
      "import undo",
      "keys create exchange",
      "keys create passes",
      "keys create ramp",
      "keys label",
      "keys list",
      "keys revoke",
      "keys rotate",
      "markets list",
      "markets put",
      "passes publish",
      "passes show",
      "passes void",
      "poll",
      "redrive",
      "rejected export",
      "rejected list",
      "restore plan",
      "schema",
      "segments check",
      "segments compact",
      "segments take-out",
      "send markets",
      "send passes",
      "send sell-orders",
      "send trades",
      "send transactions",
      "sign",
      "sign-pass",
      "status",
      "subjects allow",
      "subjects block",
      "subjects list",
      "switch",
      "tenants list",
      "token",
    ]);
  });

  test.each(paths)(
    "explains %s with an example of itself, its exit codes, and where it works",
    async (path) => {
      const help = await printedBy([...path.split(" "), "--help"]);
      expect(help).toMatch(new RegExp(`\\nExamples?:\\n(?:.*\\n)*  .*npm run (?:--silent )?ops -- ${path}`));
      expect(help).toMatch(/\nExit codes: 0 .*\n/);
      for (const option of placeOf(path)) expect(help).toContain(option);
    },
  );

  test("explains itself", async () => {
    expect(await printedBy(["--help"])).toMatch(/import(?:.*\n)+.*switch(?:.*\n)+.*keys(?:.*\n)+Exit codes:/);
  });
});

test("no command of the demo works on a stage, and each says so", async () => {
  const said = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  expect(steeringCommands.length).toBeGreaterThan(0);
  for (const path of steeringCommands) {
    await expect(run([...path.split(" "), "--stage", "prod"])).rejects.toMatchObject({
      code: "commander.invalidArgument",
    });
    expect(said.mock.calls.join()).toContain("never on a deployed stage");
    said.mockClear();
  }
  said.mockRestore();
});

test.each(steeringCommands)("the data directory that follows %s is that command's", async (path) => {
  const given: Readonly<Record<string, readonly string[]>> = {
    "demo advance": ["id"],
    "demo fault": ["all", "503"],
    "demo reset": ["--yes"],
    "demo trades": ["--per-second", "1"],
  };
  const args = [...path.split(" "), ...(given[path] ?? []), "--data", "/nonexistent/data"];
  await expect(run(args)).rejects.toThrow("/nonexistent/data");
});

test.each(["", " "])(
  "a data directory without a name (%j) is refused, whatever the command is",
  async (name) => {
    const said = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    await expect(run(["keys", "list", "--data", name])).rejects.toMatchObject({
      code: "commander.invalidArgument",
    });
    expect(said.mock.calls.join()).toContain("is a variable not set?");
    said.mockRestore();
  },
);
