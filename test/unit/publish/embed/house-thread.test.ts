import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HouseThread } from "../../../../publish/embed/house-thread.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const directory = scratchDirectory();

/** A thread that runs a program in place of the house's. */
function threadOf(name: string, program: string, heard: (line: string, world: string) => void = () => {}) {
  const path = join(directory, `${name}.mjs`);
  writeFileSync(path, `import { parentPort } from "node:worker_threads";\n${program}`);
  return new HouseThread(path, heard);
}

const onCall = (act: string): string => `parentPort.on("message", (call) => { ${act} });`;

describe("the thread of a house", () => {
  test("gives each call its own answer, in whatever order they come, and each line to its listener", async () => {
    const lines: string[] = [];
    const program = `const calls = [];
${onCall(`calls.push(call);
if (calls.length < 3) return;
parentPort.postMessage({ world: "w", line: "all are here" });
for (const { id, given, method } of calls.reverse()) parentPort.postMessage({ id, json: JSON.stringify([method, ...JSON.parse(given)]) });`)}`;
    const thread = threadOf("answers", program, (line, world) => lines.push(`${world}: ${line}`));
    const asked = ["a", "b", "c"].map((name, at) => thread.ask("w", name, [at, { at }]));
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([
      ["a", 0, { at: 0 }],
      ["b", 1, { at: 1 }],
      ["c", 2, { at: 2 }],
    ]);
    expect(lines).toEqual(["w: all are here"]);
    await thread.end();
  });

  test("rejects a call with what the thread says of it, from where it was called", async () => {
    const act = `parentPort.postMessage({ id: call.id, refusal: "No, because of this." });`;
    const thread = threadOf("refuses", onCall(act));
    const error = await thread.ask("w", "x", []).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ name: "CountinghouseError", message: "No, because of this." });
    expect((error as Error).stack).toMatch(/^CountinghouseError: No, because of this\.\n/);
    expect((error as Error).stack).toContain("house-thread.test.ts");
    await thread.end();
  });

  test("gives the stack of a fault as the cause of its error, and keeps it out of the message", async () => {
    const act = `parentPort.postMessage({ id: call.id, refusal: "It failed.", stack: "TypeError: x\\n    at inner" });`;
    const thread = threadOf("fails", onCall(act));
    const error = await thread.ask("w", "x", []).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ message: "It failed.", cause: { stack: "TypeError: x\n    at inner" } });
    expect((error as Error).stack).not.toContain("at inner");
    await thread.end();
  });

  test.each([
    ["breaks down", `throw new Error("out of luck");`, "The countinghouse broke down: out of luck"],
    ["ends", "process.exit(0);", "The countinghouse was closed."],
  ])("rejects the calls that wait when it %s, and every later one", async (name, act, message) => {
    const thread = threadOf(name.replace(" ", "-"), onCall(act));
    const asked = [thread.ask("w", "a", []), thread.ask("w", "b", [])];
    for (const call of asked) await expect(call).rejects.toThrow(message);
    await expect(thread.ask("w", "c", [])).rejects.toThrow(message);
  });

  test("rejects a call after it was ended", async () => {
    const thread = threadOf("ended", onCall(""));
    const waiting = thread.ask("w", "a", []);
    waiting.catch(() => {});
    await thread.end();
    await expect(waiting).rejects.toThrow("The countinghouse was closed.");
    await expect(thread.ask("w", "b", [])).rejects.toThrow("The countinghouse was closed.");
  });
});
