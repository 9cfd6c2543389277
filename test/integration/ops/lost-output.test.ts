import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditOf } from "../../support/audit.ts";
import { acts, everyCommand, words } from "../../support/every-command.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { type LostOutput, lostOutputs, startOperator } from "../../support/operator.ts";

/*
 * Every command is run with a standard output that fails, on a store that is as before for each run.
 */

/** They go on until Ctrl-C. */
const ENDLESS = ["demo partner"];
/** They make a key that only standard output shows. */
const ISSUING = ["keys create exchange", "keys create ramp", "keys rotate"];

let place: Awaited<ReturnType<typeof everyCommand>>;
beforeAll(async () => {
  place = await everyCommand();
});
afterAll(() => place[Symbol.asyncDispose]());

/** Runs a command on the store as it was first, and tells how it ended and what it did. */
async function tried(path: string, lost?: LostOutput) {
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
  const items = (await place.content.read()).length;
  const audit = (await auditOf(place.data)).map(({ command, target }) => `${command}: ${target}`);
  // Each new key has another id.
  const changes = audit.map((line) => line.replaceAll(/#[0-9a-f]{12}\b/g, ""));
  return { code, stderr, hasPrinted: stdout !== "", items, changes };
}

test("every command has its line", () => {
  expect(Object.keys(words).toSorted()).toEqual([...acts.keys()].toSorted());
});

describe.each(Object.keys(words))("%s", (path) => {
  test("ends and does its work as ever whatever becomes of standard output, or says that it has not", async () => {
    const well = await tried(path);
    expect(well.stderr).not.toMatch(/^\s+at |unexpected error/m);
    for (const lost of lostOutputs) {
      const run = await tried(path, lost);
      const isKeyLost = ISSUING.includes(path) && lost !== "closed after a line";
      const isFull = lost === "full" && well.hasPrinted;
      const code = isKeyLost || (isFull && well.code !== 130) ? 2 : well.code;
      expect([lost, run.code, run.stderr]).toEqual([lost, code, run.stderr]);
      expect(run.stderr.match(/Standard output .*ENOSPC/g) ?? []).toHaveLength(isFull ? 1 : 0);
      expect(run.stderr).not.toMatch(/^\s+at |unexpected error/m);
      if (isKeyLost)
        expect(run.changes).toEqual(expect.arrayContaining([expect.stringMatching(/^keys revoke: /)]));
      else expect([lost, run.items, run.changes]).toEqual([lost, well.items, well.changes]);
    }
  });
});

test("a poll without an end stops with 0 once its reader has left", async () => {
  const server = createServer((_, response) => {
    response.setHeader("etag", '"1"').end('{"partner_reference":"demo-1","type":"loyalty_pass","version":1}');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const args = place.argsOf(`poll ${url} --reference demo-1 --token-file $token`);
  expect(await place.run(args, { lost: "closed" })).toMatchObject({ code: 0, stderr: "" });
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
    expect((await auditOf(place.data)).at(-1)).toMatchObject({ target: "transactions of piped" });
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
