import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { terminalLines } from "../../../ops/terminal/terminal-text.ts";
import { acts, everyCommand } from "../../support/every-command.ts";

/** What a terminal acts on: it takes colours and moves the cursor, and turns the direction of what follows. */
const EVIL = "evil\u001b[31m\u009b1m\u202e";

let place: Awaited<ReturnType<typeof everyCommand>>;
beforeAll(async () => {
  place = await everyCommand();
});
afterAll(() => place[Symbol.asyncDispose]());

/** A word that a terminal would act on; for a file a copy of it. */
function evil(word: string): string {
  if (!word.startsWith(place.path) || word === place.data || !existsSync(word)) return EVIL;
  const copy = join(place.path, `${EVIL}.ndjson`);
  copyFileSync(word, copy);
  return copy;
}

/** Options that were tried: most commands share theirs. */
const tried = new Set<string>();

/** The words of a command, one of which was replaced by an evil one; and with each further option that takes a text. */
function linesOf(path: string): readonly (readonly string[])[] {
  const line = place.lineOf(path);
  const first = path.split(" ").length;
  const isTried = (before = ""): boolean => {
    const wasTried = tried.has(before);
    if (before.startsWith("--")) tried.add(before);
    return wasTried;
  };
  const replaced = line.flatMap((word, at) =>
    at < first || word.startsWith("--") || isTried(line[at - 1]) ? [] : [line.with(at, evil(word))],
  );
  const options = acts.get(path)?.options ?? [];
  const further = options.flatMap(({ long, required }) => (required && long != null ? long : []));
  const untried = further.filter((long) => !line.includes(long) && !tried.has(long));
  for (const long of untried) tried.add(long);
  return [...replaced, ...untried.map((long) => [...line, long, EVIL])];
}

async function expectEscaped(line: readonly string[]): Promise<void> {
  const { stdout, stderr } = await place.run(line, { input: "" });
  const printed = `${stdout}${stderr}`.replaceAll("\t", " ");
  expect([line, terminalLines(printed)]).toEqual([line, printed]);
}

describe.each([...acts.keys()].filter((path) => path !== "demo partner"))("%s", (path) => {
  test("prints no argument in such a way that a terminal acts on it", async () => {
    await place.refill();
    for (const line of linesOf(path)) await expectEscaped(line);
  });
});

test.each([[EVIL], ["keys", EVIL], ["keys", "list", EVIL], ["keys", "list", `--${EVIL}`]])(
  "a word that no command knows is not printed in such a way either: %j",
  async (...line) => {
    await expectEscaped(line);
  },
);

test("of an argument that begins with a hyphen it is said where it goes, but of a key nothing is repeated", async () => {
  const line = ["get", "transaction", "-esc-2"];
  expect((await place.run(line)).stderr).toContain("stands behind --: -- -esc-2)");
  const key = `-${"aB3".repeat(12)}`;
  expect((await place.run(["get", "transaction", key])).stderr).not.toContain(key);
  expect((await place.run(["get", "transaction", "--", "-esc-2"])).stderr).not.toContain("unknown option");
});
