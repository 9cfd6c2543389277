import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StartedService, startCommand } from "../../bench/support/start-command.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { isHere, runWorldProgram, worldPrograms } from "../support/world-programs.ts";

const directory = scratchDirectory();
let service: StartedService;
beforeAll(async () => {
  service = await startCommand(["--worlds", "--port", "0"]);
});
afterAll(() => service.stop());

describe("the tests of docs/embedding.md that open worlds over HTTP pass", () => {
  test.each(worldPrograms)("with $runner", async (program) => {
    expect(isHere(program), `Install it: apt-get install ${program.debian}`).toBe(true);
    const worlds = service.announced.join("\n").match(/http:\S+\/worlds$/m)?.[0] ?? "";
    const { code, output } = await runWorldProgram(program, directory, worlds);
    expect(code, output).toBe(0);
  });
});
