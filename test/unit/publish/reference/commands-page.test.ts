import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { actsOf, definitionOf, examplesOf, exitsOf } from "../../../../ops/add-command.ts";
import type { Definition } from "../../../../ops/command.ts";
import { buildProgram } from "../../../../ops/program.ts";
import { jsonTime } from "../../../../ops/terminal/json-output.ts";
import { commandsPage } from "../../../../publish/reference/commands/commands-page.ts";
import { type Schema, typeText } from "../../../../publish/reference/commands/json-type.ts";
import { shellWords } from "../../../support/shell-words.ts";

const schemaOf = (shape: z.ZodMiniType): Schema =>
  z.toJSONSchema(shape, { unrepresentable: "any", io: "input" }) as Schema;

describe("the type of a shape", () => {
  test("has every member, with a question mark where it may be absent", () => {
    const shape = z.array(
      z.object({
        id: z.string(),
        at: jsonTime,
        reason: z.nullable(z.string()),
        outcome: z.enum(["done", "failed"]),
        counts: z.optional(z.record(z.string(), z.number())),
        steps: z.array(z.object({ title: z.string(), lines: z.array(z.string()) })),
        marks: z.array(z.nullable(z.number())),
        end: z.nullable(z.object({ exact: z.literal(true) })),
      }),
    );
    expect(typeText(schemaOf(shape))).toBe(
      '{ id: string, at: time, reason: string | null, outcome: "done" | "failed", counts?: { [name]: number }, ' +
        "steps: { title: string, lines: string[] }[], marks: (number | null)[], end: { exact: true } | null }[]",
    );
  });

  test("has each form where there are several", () => {
    const shape = z.union([z.object({ a: z.string() }), z.array(z.object({ b: z.number() }))]);
    expect(typeText(schemaOf(shape))).toBe("{ a: string } | { b: number }[]");
    expect(typeText(schemaOf(z.array(shape)))).toBe("({ a: string } | { b: number }[])[]");
  });
});

const definition = (command: Command): Definition => definitionOf(command) as Definition;
const pathOf = (command: Command): string => definition(command).words;

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

  const sectionOf = (path: string): string =>
    new RegExp(`\\n## ${path}\\n(.*?)(?=\\n## |$)`, "s").exec(page)?.[1] ?? "";

  test.each(acts.map(pathOf))("names each argument, option and exit code of `%s`", (path) => {
    const command = acts.find((one) => pathOf(one) === path) as Command;
    const section = sectionOf(path);
    for (const { long, hidden } of command.options)
      if (!hidden && long !== "--json") expect(section).toContain(`${long}`);
    for (const argument of command.registeredArguments) expect(section).toContain(argument.name());
    const [examples, exitCodes] = [examplesOf(definition(command)), exitsOf(definition(command))];
    expect(exitCodes).toMatch(/^0 /);
    expect(section).toContain(examples[0]);
    const codes = [...exitCodes.matchAll(/(?:^|[,;] )(\d+) /g)].map(([, code]) => code);
    const told = /^Exit codes: (.*)$/m.exec(section)?.[1] ?? "0 done, 2 not done.";
    for (const code of codes) if (code !== "130") expect(told).toMatch(new RegExp(`(?:^|[,;] )${code} `));
  });

  test("explains each option that an entry only names", () => {
    const shared = sectionOf("Shared options");
    const named = [...page.matchAll(/^- shared: (.*)$/gm)].flatMap(([, flags = ""]) => flags.split(" "));
    expect(named.length).toBeGreaterThan(100);
    for (const flag of new Set(named)) expect(shared).toContain(`- ${flag.slice(0, -1)}`);
  });

  // A parser that is asked does not act: files are not opened, and nothing is sent.
  test.each(acts.map(pathOf))("shows examples of `%s` that the command line understands", async (path) => {
    const lines = commandLines(examplesOf(definition(acts.find((one) => pathOf(one) === path) as Command)));
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
