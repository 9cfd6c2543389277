import type { Command } from "commander";
import { expect, test, vi } from "vitest";
import { buildProgram } from "../../../../ops/program.ts";

// As in the package's bundle.
vi.mock("../../../../local/installation.ts", () => import("../../../../publish/package/installation.ts"));

const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];

/** What `--help` prints. */
function helpOf(command: Command): string {
  let printed = "";
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
  });
  command.outputHelp();
  return printed;
}

test("the help of no command names a command of a clone", async () => {
  const helps = withAllBelow(await buildProgram()).map(helpOf);
  expect(helps.length).toBeGreaterThan(50);
  for (const help of helps) {
    expect(help).toMatch(/^Usage: (?:npx )?countinghouse /);
    expect(help).not.toMatch(/npm (?:start|run)/);
  }
});
