import { Command, InvalidArgumentError } from "commander";
import { coldStart } from "./cold-start.ts";
import { costs } from "./cost.ts";
import type { Measurement } from "./figure.ts";
import { firstAnswer } from "./first-answer.ts";
import { footprint } from "./footprint.ts";
import { growth } from "./growth.ts";
import { localStack } from "./local-stack.ts";
import { page } from "./page.ts";
import { printFigures } from "./print-figures.ts";
import { rateLimit } from "./rate-limit.ts";
import { keepResults, mergeRuns } from "./results.ts";
import { signature } from "./signature.ts";
import { warmRequest } from "./warm-request.ts";

const measurements: readonly Measurement[] = [
  coldStart,
  footprint,
  warmRequest,
  page,
  growth,
  rateLimit,
  signature,
  localStack,
  firstAnswer,
];
const names = measurements.map(({ name }) => name).join(", ");

const positive = (text: string): number => {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number from 1 to 99.");
};

const { only, runs, dryRun } = new Command("npm run bench --")
  .description("Measures this service against its peers and floors, in turns, on this machine.")
  .option("--only <name>", `one of ${names}`)
  .option(
    "--runs <number>",
    "how often to run everything; more than one run gives the spread between runs",
    positive,
    1,
  )
  .option("--dry-run", "keep no results")
  .addHelpText(
    "after",
    "\n`npm run bench -- soak --help`: a steady load on `npm start`, for minutes or hours.",
  )
  .parse()
  .opts<{ only?: string; runs: number; dryRun?: true }>();

const chosen = measurements.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) throw new Error(`There is no measurement ${only}. Choose one of ${names}.`);
const command = ["npm run bench", ...(only || runs > 1 ? ["--"] : [])]
  .concat(only ? [`--only ${only}`] : [], runs > 1 ? [`--runs ${runs}`] : [])
  .join(" ");
for (const measurement of chosen) {
  const figures = [];
  for (let run = 0; run < runs; run += 1) figures.push(await measurement.run());
  const merged = mergeRuns(figures);
  printFigures(measurement, merged);
  if (dryRun !== true) await keepResults(measurement, merged, { command, runs });
}
if (dryRun !== true) {
  await costs();
  console.log("\ndocs/scaling.md follows from these figures: `npm run write -- scaling` writes it again.");
}
