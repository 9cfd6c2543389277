import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Command } from "commander";

/** What is written from the code or from what runs, each with the commands that write it. */
const written: Readonly<Record<string, readonly string[]>> = {
  reference: [
    "vitest run test/integration/reference-examples.test.ts --update=all",
    "node publish/reference/reference-files.ts",
  ],
  faults: ["node test/support/faults/write-faults-page.ts"],
  cost: ["node bench/cost.ts"],
  scaling: ["node bench/scaling/write-scaling.ts"],
  pictures: ["vitest run --config bench/pictures/vitest.config.ts"],
  page: ["node page/build-page.ts"],
};

const program = new Command("npm run write --")
  .description("Writes what is made from the code or from what runs. A test fails while a document is stale.")
  .argument(
    "<what...>",
    "reference (docs/reference.md, commands.md, docs/api and the client's types), faults (docs/faults.md), " +
      "cost (the bill in docs/performance.md), scaling (docs/scaling.md), pictures (docs/images), page (page/dist)",
  )
  .parse();

const unknown = program.args.filter((name) => !Object.hasOwn(written, name));
if (unknown.length > 0)
  program.error(`error: unknown: ${unknown.join(", ")}. Choose from ${Object.keys(written).join(", ")}.`);

const root = join(import.meta.dirname, "..");
for (const line of program.args.flatMap((name) => written[name] ?? [])) {
  const [command = "", ...words] = line.split(" ");
  // npm has put the programs of packages on the path.
  const { status } = spawnSync(command === "node" ? process.execPath : command, words, {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
