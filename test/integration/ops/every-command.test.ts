import { once } from "node:events";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { terminalLines } from "../../../ops/terminal/terminal-text.ts";
import { auditIn } from "../../support/audit.ts";
import { acts, everyCommand, words } from "../../support/every-command.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { type LostOutput, lostOutputs, startOperator } from "../../support/operator.ts";

/*
 * What holds of every command, on a store with something of everything, which is as before for each run.
 */

/** They go on until Ctrl-C. */
const ENDLESS = ["demo partner"];
/** They find nothing to change on this store, or their words ask for no more than a rehearsal. */
const IDLE = ["redrive", "segments compact", "segments take-out"];
/** They make a key that only standard output shows. */
const ISSUING = ["keys create exchange", "keys create ramp", "keys rotate"];

const place = await everyCommand();
const stored = await place.content.read();
afterAll(() => place[Symbol.asyncDispose]());

/** Runs a command on the store as it was first, and tells how it ended and what it did. */
async function runOf(path: string, lost?: LostOutput) {
  await place.refill();
  rmSync(join(place.path, "folder"), { recursive: true, force: true });
  const before = process.listeners("SIGINT");
  const pressCtrlC = () => {
    for (const listener of process.listeners("SIGINT")) if (!before.includes(listener)) listener("SIGINT");
  };
  const { code, stderr, stdout } = await place.run(place.lineOf(path), {
    ...(lost !== undefined && { lost }),
    ...(ENDLESS.includes(path) && { onPrint: pressCtrlC }),
  });
  const content = await place.content.read();
  const audit = (await auditIn(place)).map(({ command, target }) => `${command}: ${target}`);
  // Each new key has another id.
  const changes = audit.map((line) => line.replaceAll(/#[0-9a-f]{12}\b/g, ""));
  return { code, stderr, hasPrinted: stdout !== "", content, changes };
}

/** What a terminal acts on: it takes colours and moves the cursor, and turns the direction of what follows. */
const EVIL = "evil\u001b[31m\u009b1m\u202e";

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

const rehearsable = [...acts].flatMap(([path, { options }]) =>
  options.some(({ long }) => long === "--dry-run") ? [path] : [],
);

describe.each(Object.keys(words))("%s", (path) => {
  test("does its work as ever whatever becomes of standard output, or says that it has not; without a dry run it changes nothing", async () => {
    const well = await runOf(path);
    // The demo's commands are there to change a laptop's records.
    if (!rehearsable.includes(path) && !path.startsWith("demo ")) expect(well.content).toEqual(stored);
    expect(well.stderr).not.toMatch(/^\s+at |unexpected error/m);
    for (const lost of lostOutputs) {
      const run = await runOf(path, lost);
      const isKeyLost = ISSUING.includes(path) && lost !== "closed after a line";
      const isFull = lost === "full" && well.hasPrinted;
      const code = isKeyLost || (isFull && well.code !== 130) ? 2 : well.code;
      expect([lost, run.code, run.stderr]).toEqual([lost, code, run.stderr]);
      expect(run.stderr.match(/Standard output .*ENOSPC/g) ?? []).toHaveLength(isFull ? 1 : 0);
      expect(run.stderr).not.toMatch(/^\s+at |unexpected error/m);
      if (isKeyLost)
        expect(run.changes).toEqual(expect.arrayContaining([expect.stringMatching(/^keys revoke: /)]));
      else expect([lost, run.content.length, run.changes]).toEqual([lost, well.content.length, well.changes]);
    }
  });
});

test.each(Object.keys(words).filter((path) => !ENDLESS.includes(path)))(
  "%s prints no argument in such a way that a terminal acts on it",
  async (path) => {
    await place.refill();
    for (const line of linesOf(path)) await expectEscaped(line);
  },
);

test.each(rehearsable)(
  "%s changes nothing with --dry-run and asks nothing, and leaves a line in the audit where it changes something",
  async (path) => {
    await place.refill();
    const before = await place.content.read();
    const audit = await auditIn(place);
    const line = place.lineOf(path);
    const { stderr } = await place.run([...line.filter((word) => word !== "--yes"), "--dry-run"]);
    expect(stderr).not.toContain("confirm it with --yes");
    expect(await place.content.read()).toEqual(before);
    await place.run(line);
    const isChanged = JSON.stringify(await place.content.read()) !== JSON.stringify(before);
    expect(isChanged).toBe(!IDLE.includes(path));
    expect((await auditIn(place)).length > audit.length).toBe(isChanged);
  },
);

const asking = [...acts].flatMap(([path, { options }]) =>
  options.some(({ long }) => long === "--yes") && words[path]?.includes("--yes") ? [path] : [],
);

test.each(asking)("%s changes nothing without a terminal to ask on, unless --yes is given", async (path) => {
  await place.refill();
  const before = await place.content.read();
  const line = place.lineOf(path).filter((word) => word !== "--yes");
  expect(await place.run(line)).toMatchObject({ code: 2 });
  expect(await place.content.read()).toEqual(before);
});

test("a follow without an end stops with 0 once its reader has left", async () => {
  const server = createServer((_, response) => {
    response
      .setHeader("content-type", "application/json")
      .end('{"partner_reference":"demo-1","type":"loyalty_pass","version":1}');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const args = place.argsOf(`get pass demo-1 --url ${url} --token-file $token --follow --every 1`);
  expect(await place.run(args, { lost: "closed" })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^\S+ {2}200/),
  });
  server.closeAllConnections();
  await once(server.close(), "close");
});

describe("a process", () => {
  test("whose output goes nowhere leaves no key that nobody has", async () => {
    const args = place.argsOf(`keys create ramp --partner nowhere --data ${place.data}`);
    const { code, stderr } = await startOperator(args, { output: "nowhere" }).ended;
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^The new key could not be shown: .* is revoked\./),
    ]);
  });

  test("whose reader has gone does its work and ends with its own exit code", async () => {
    const args = place.argsOf(
      `import transactions $transactions --business piped --new --data ${place.data}`,
    );
    const { code } = await startOperator(args, { output: "a closed pipe", cwd: place.path }).ended;
    expect(code).toBe(1);
    expect((await auditIn(place)).at(-1)).toMatchObject({ target: "transactions of piped" });
  });

  test("behind whose output the disk is full says so in a line, and leaves no key that nobody has", async () => {
    const args = place.argsOf(`keys create ramp --partner full --data ${place.data}`);
    const { code, stderr } = await startOperator(args, { output: "a full disk" }).ended;
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^The new key could not be shown: .* is revoked\./),
      expect.stringContaining("ENOSPC"),
    ]);
  });
});

test.each([[EVIL], ["keys", EVIL], ["keys", "list", EVIL], ["keys", "list", `--${EVIL}`]])(
  "a word that no command knows is not printed in such a way either: %j",
  async (...line) => {
    await expectEscaped(line);
  },
);

test("of an argument that begins with a hyphen it is said where it goes, but not of a misspelt option, and of a value where none is taken; of a key nothing is repeated", async () => {
  const line = ["get", "transaction", "-esc-2"];
  expect((await place.run(line)).stderr).toContain("stands behind --: -- -esc-2)");
  expect((await place.run(["get", "transaction", "--folow"])).stderr).toMatch(
    /^error: .*\n\(add --help .*\n$/,
  );
  expect((await place.run(["check-client", "--tomorrow=yes"])).stderr).toContain("--tomorrow takes no value");
  const key = `-${"aB3".repeat(12)}`;
  expect((await place.run(["get", "transaction", key])).stderr).not.toContain(key);
  expect((await place.run(["get", "transaction", "--", "-esc-2"])).stderr).not.toContain("unknown option");
  expect((await place.run(["demo", "time", "-3d", "--json"])).stderr).toMatch(/^No `.*` runs on /);
});
