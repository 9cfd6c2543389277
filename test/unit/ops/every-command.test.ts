import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { buildProgram } from "../../../ops/program.ts";
import { jsonText, outputOf, RawJson, rawJson } from "../../../ops/terminal/json-output.ts";
import { shapeText } from "../../../ops/terminal/shape-text.ts";
import { describedTables, makersOf } from "../../support/data-model.ts";
import type { Row } from "../../support/markdown.ts";

/** The commands that do something. One of them may have commands below it, as `demo fault` has `clear`. */
const actsOf = (command: Command): Command[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
  ...command.commands.flatMap(actsOf),
];

const pathOf = (command: Command): string =>
  command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

const program = await buildProgram();
const acts = new Map(actsOf(program).map((command) => [pathOf(command), command] as const));
const optionsOf = (command: Command | undefined): string[] =>
  command?.options.map(({ long }) => long ?? "") ?? [];

describe.each([...acts])("the output for programs of `%s`", (path, command) => {
  const output = outputOf(command);

  test("is declared: a shape behind --json, or the reason why there is none", () => {
    expect(output, `${path} calls neither addJsonOption nor withoutJson`).toBeDefined();
    const hasOption = optionsOf(command).includes("--json");
    expect(hasOption).toBe(output !== undefined && "shape" in output);
    if (output !== undefined && "reason" in output) expect(output.reason).toMatch(/^[A-Z].+\.$/);
  });

  test("is shown in the help in one line, and by an example of the shape", () => {
    if (output === undefined || !("shape" in output)) return;
    const { shape, example, form } = output;
    const told = command.options.find(({ long }) => long === "--json")?.description;
    expect(told).toBe(
      `print ${form === "text" ? "one JSON text" : "JSON lines"}, for programs: ${shapeText(shape)}`,
    );
    // A document is shown by itself: it is the service's, and docs/reference.md has it.
    if (shape === rawJson) expect(jsonText(rawJson, new RawJson("{}"))).toBe("{}");
    else
      expect(JSON.parse(jsonText(shape, example as never)), "nothing in the example is left out").toEqual(
        example,
      );
    expect(z.toJSONSchema(shape, { unrepresentable: "any" })).toBeDefined();
  });
});

const WRITES = /`(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem)`/;
/** Functions write the limits; and the audit is not audited. */
const UNAUDITED = ["RateLimits", "Audit"];

/** The command of words such as `switch off` or `import trades --withdraw`; undefined for a function. */
function commandOf(words: string): Command | undefined {
  let at: Command = program;
  for (const word of words.split(" ")) {
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) break;
    at = next;
  }
  return at === program ? undefined : at;
}

/** The paths of the commands that make some accesses; of a group, those of its commands. */
const pathsOf = (accesses: readonly Row[]): Set<string> =>
  new Set(
    accesses
      .filter(({ call }) => WRITES.test(call ?? ""))
      .flatMap(makersOf)
      .flatMap((words) => commandOf(words) ?? [])
      .flatMap(actsOf)
      .map(pathOf),
  );

/** The commands that write to a table, by what docs/data-model.md says of each access. */
const writers = pathsOf(
  describedTables.filter(({ name }) => !UNAUDITED.includes(name)).flatMap(({ accesses }) => accesses),
);

const audited = pathsOf(describedTables.find(({ name }) => name === "Audit")?.accesses ?? []);

/** Commands that change something, and have nothing to try out first. */
const WITHOUT_DRY_RUN: Readonly<Record<string, string>> = {};

describe("a command that writes to a table", () => {
  test("is one of several", () => {
    expect(writers.size).toBeGreaterThan(15);
  });

  test.each([...writers])("leaves a line in the audit: %s", (path) => {
    expect(audited).toContain(path);
  });

  test.each([...writers])("can be tried out first, or there is a reason why not: %s", (path) => {
    expect(optionsOf(acts.get(path)).includes("--dry-run") || path in WITHOUT_DRY_RUN).toBe(true);
  });
});

test.each(Object.keys(WITHOUT_DRY_RUN))("%s has a reason for its lack of --dry-run, and lacks it", (path) => {
  expect(acts.has(path)).toBe(true);
  expect(optionsOf(acts.get(path))).not.toContain("--dry-run");
});
