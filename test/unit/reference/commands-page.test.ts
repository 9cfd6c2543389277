import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { buildProgram } from "../../../ops/program.ts";
import { jsonTime } from "../../../ops/terminal/json-output.ts";
import { commandsPage } from "../../../reference/commands/commands-page.ts";
import { helpParts } from "../../../reference/commands/help-parts.ts";
import { formsOf, jsonRows, type Schema, typeText } from "../../../reference/commands/json-rows.ts";
import { shellWords } from "../../support/shell-words.ts";

const schemaOf = (shape: z.ZodMiniType): Schema =>
  z.toJSONSchema(shape, { unrepresentable: "any", io: "input" }) as Schema;

describe("the members of a shape", () => {
  test("are rows, each after the one that holds it, with words for types", () => {
    const shape = z.array(
      z.object({
        id: z.string(),
        at: jsonTime,
        reason: z.nullable(z.string()),
        outcome: z.enum(["done", "failed"]),
        counts: z.optional(z.record(z.string(), z.number())),
        steps: z.array(z.object({ title: z.string(), lines: z.array(z.string()) })),
        end: z.nullable(z.object({ exact: z.literal(true) })),
      }),
    );
    expect(typeText(schemaOf(shape))).toBe("list of object");
    expect(jsonRows(schemaOf(shape))).toEqual([
      ["[].id", "text", "always"],
      ["[].at", "time", "always"],
      ["[].reason", "text or null", "always"],
      ["[].outcome", "`done`, `failed`", "always"],
      ["[].counts", "object of number by name", ""],
      ["[].steps", "list of object", "always"],
      ["[].steps[].title", "text", "always"],
      ["[].steps[].lines", "list of text", "always"],
      ["[].end", "object or null", "always"],
      ["[].end.exact", "`true`", "always"],
    ]);
  });

  test("are those of each form where there are several", () => {
    const shape = z.union([z.object({ a: z.string() }), z.array(z.object({ b: z.number() }))]);
    expect(formsOf(schemaOf(shape)).map((form) => jsonRows(form))).toEqual([
      [["a", "text", "always"]],
      [["[].b", "number", "always"]],
    ]);
    expect(formsOf({ type: "object" })).toEqual([{ type: "object" }]);
  });
});

/** The commands that do something. */
const actsOf = (command: Command): Command[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
  ...command.commands.flatMap(actsOf),
];
const pathOf = (command: Command): string =>
  command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

/** The command lines of a help's examples, without what a shell does before and behind them. */
const commandLines = (examples: readonly string[]): string[] =>
  examples
    .join("\n")
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => /npm run (?:--silent )?ops -- ([^|)]*)/.exec(line)?.[1] ?? []);

describe("the page of the commands", async () => {
  const page = await commandsPage();
  const acts = actsOf(await buildProgram());

  test.each(acts.map(pathOf))("has all that the help of `%s` says", (path) => {
    const command = acts.find((one) => pathOf(one) === path) as Command;
    const section = new RegExp(`\\n## ${path}\\n(.*?)(?=\\n## |$)`, "s").exec(page)?.[1] ?? "";
    const plain = section.replaceAll("&lt;", "<").replaceAll("\\*", "*").replaceAll("\\|", "|");
    for (const { long, hidden } of command.options) if (!hidden) expect(plain).toContain(long);
    for (const argument of command.registeredArguments) expect(plain).toContain(argument.name());
    const { paragraphs, examples, exitCodes } = helpParts(command);
    expect(exitCodes).toMatch(/^0 /);
    for (const part of [...paragraphs, ...examples, exitCodes]) expect(plain).toContain(part);
  });

  // A parser that is asked does not act: files are not opened, and nothing is sent.
  test.each(acts.map(pathOf))("shows examples of `%s` that the command line understands", async (path) => {
    const { examples } = helpParts(acts.find((one) => pathOf(one) === path) as Command);
    const lines = commandLines(examples);
    const understood = new Set<string>();
    for (const line of lines) {
      const program = await buildProgram();
      for (const act of actsOf(program))
        act.action(() => {
          understood.add(pathOf(act));
        });
      await program.parseAsync(shellWords(line), { from: "user" });
    }
    expect(understood).toContain(path);
  });
});
