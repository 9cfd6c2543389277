import { type Command, CommanderError } from "commander";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { actsOf, definitionOf } from "../../../ops/add-command.ts";
import { buildProgram } from "../../../ops/program.ts";
import { requireCommands } from "../../../ops/run-command-line.ts";
import { jsonText, rawJson } from "../../../ops/terminal/json-output.ts";
import { acts, wordsOf as pathOf, words } from "../../support/every-command.ts";

const paths = [...acts.keys()];
const optionsOf = (command: Command | undefined): string[] =>
  command?.options.map(({ long }) => long ?? "") ?? [];

/** The commands of the demo but the partner, which is a server of its own and knows no service. */
const steeringCommands = paths.filter((path) => path.startsWith("demo ") && path !== "demo partner");

/** Runs a command line in this process, and returns what it prints on a stream. */
async function printedBy(
  args: readonly string[],
  stream: "writeOut" | "writeErr",
  act = run,
): Promise<string> {
  const program = await buildProgram(args[0]);
  let printed = "";
  const capture = (command: Command) => {
    const keep = (text: string) => {
      printed += text;
    };
    command.configureOutput({ writeOut: () => {}, writeErr: () => {}, [stream]: keep });
    command.commands.forEach(capture);
  };
  capture(program);
  await act(program, args).catch((error: unknown) => expect(error).toBeInstanceOf(CommanderError));
  return printed;
}

async function run(program: Command, args: readonly string[]): Promise<void> {
  await program.parseAsync(args, { from: "user" });
}

describe("the command line", () => {
  test("has a line in the tests of every command for each command, and no other", () => {
    expect(Object.keys(words).toSorted()).toEqual(paths.toSorted());
  });

  test.each(paths)("has the same `%s` when only its own files are loaded", async (path) => {
    const [first = ""] = path.split(" ");
    const own = actsOf(await buildProgram(first)).map(pathOf);
    expect(own).toEqual(paths.filter((other) => other === first || other.startsWith(`${first} `)));
  });

  test.each(paths)(
    "explains %s with an example of itself, its exit codes, and each argument and option",
    async (path) => {
      const help = await printedBy([...path.split(" "), "--help"], "writeOut");
      expect(help).toMatch(new RegExp(`\\nExamples?:\\n(?:.*\\n)*  .*npm run (?:--silent )?ops -- ${path}`));
      expect(help).toMatch(/\nExit codes: 0 .*\n/);
      const { options = [], registeredArguments = [] } = acts.get(path) ?? {};
      for (const { flags, hidden } of options) expect(help.includes(flags)).toBe(!hidden);
      for (const argument of registeredArguments) expect(help).toContain(argument.name());
    },
  );

  test("explains itself", async () => {
    expect(await printedBy(["--help"], "writeOut")).toMatch(
      /import(?:.*\n)+.*switch(?:.*\n)+.*keys(?:.*\n)+Exit codes:/,
    );
  });
});

describe.each([...acts])("the output for programs of `%s`", (_, command) => {
  const json = definitionOf(command)?.json ?? "";

  test("is a shape behind --json, with an example of it, or has a reason why there is none", () => {
    expect(optionsOf(command).includes("--json")).toBe(typeof json === "object");
    if (typeof json === "string") {
      expect(json).toMatch(/^[A-Z].+\.$/);
      return;
    }
    const { shape, example } = json;
    expect(z.toJSONSchema(shape, { unrepresentable: "any" })).toBeDefined();
    // A document is shown by itself: it is the service's, and docs/reference.md has it.
    if (shape === rawJson) return;
    const text = jsonText(shape, example as never);
    expect(JSON.parse(text), "nothing in the example is left out").toEqual(example);
  });
});

test("a command that may make a store is one of these: the others refuse where there is none", () => {
  const making = [...acts].flatMap(([path, command]) =>
    definitionOf(command)?.on === "store, made if missing" ? [path] : [],
  );
  expect(making).toEqual([
    ...["transactions", "sell-orders", "passes", "trades"].map((kind) => `import ${kind}`),
    "markets put",
    "switch",
    "subjects block",
    "subjects allow",
    "keys create exchange",
    "keys create ramp",
    "keys create passes",
    "passes publish",
  ]);
});

const INVALID = { code: "commander.invalidArgument" };
const parse = async (args: readonly string[]) => await run(await buildProgram(args[0]), args);

test("no command of the demo works on a stage, and each says so", async () => {
  const said = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  expect(steeringCommands.length).toBeGreaterThan(0);
  for (const path of steeringCommands) {
    await expect(parse([...path.split(" "), "--stage", "prod"])).rejects.toMatchObject(INVALID);
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
  await expect(parse(args)).rejects.toThrow("/nonexistent/data");
});

test.each(["", " "])(
  "a data directory without a name (%j) is refused, whatever the command is",
  async (name) => {
    const said = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    await expect(parse(["keys", "list", "--data", name])).rejects.toMatchObject(INVALID);
    expect(said.mock.calls.join()).toContain("is a variable not set?");
    said.mockRestore();
  },
);

/** What is printed about a command line, whose commands are checked but not run. */
const complaintOf = (args: readonly string[]): Promise<string> =>
  printedBy(args, "writeErr", async (program) => void requireCommands(program, args));

describe("a word in a command's place", () => {
  test.each([
    [["help", "bogus"], "error: unknown command 'bogus'\n"],
    [["bogus", "--help"], "error: unknown command 'bogus'\n"],
    [["help", "chek-pass"], "error: unknown command 'chek-pass'\n(Did you mean check-pass?)\n"],
    [["demo", "fualt", "--help"], "error: unknown command 'fualt'\n(Did you mean fault?)\n"],
    [["help", "keys", "create", "rmap"], "error: unknown command 'rmap'\n"],
    [["demo", "help", "bogus"], "error: unknown command 'bogus'\n"],
    [["sign-pas", "x"], "error: unknown command 'sign-pas'\n(Did you mean sign-pass?)\n"],
  ])("%j that is not a command is refused, with the nearest", async (args, complaint) => {
    expect(await complaintOf(args)).toContain(complaint);
  });

  test.each([
    ["send", "passes", "transactions, sell-orders, passes, markets, trades"],
    ["import", "trades", "transactions, sell-orders, passes, trades"],
  ])("that names a file for %s is answered with the command that takes it", async (group, kind, kinds) => {
    expect(await complaintOf([group, `docs/examples/records/${kind}.ndjson`])).toBe(
      `error: say what the file has: \`npm run ops -- ${group} ${kind} FILE\` (${kinds})\n(add --help for the arguments, the options and an example)\n`,
    );
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
    expect(await complaintOf(args)).toBe("");
  });
});
