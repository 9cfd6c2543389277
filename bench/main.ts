import { Command } from "commander";
import { coldStart } from "./cold-start.ts";
import type { Measurement } from "./figure.ts";
import { growth } from "./growth.ts";
import { localStack } from "./local-stack.ts";
import { page } from "./page.ts";
import { printFigures } from "./print-figures.ts";
import { rateLimit } from "./rate-limit.ts";
import { signature } from "./signature.ts";
import { warmRequest } from "./warm-request.ts";

const measurements: readonly Measurement[] = [
  coldStart,
  warmRequest,
  page,
  growth,
  rateLimit,
  signature,
  localStack,
];

const { only } = new Command("bench")
  .description("Measures this service against its peers and floors, in turns, on this machine.")
  .option("--only <name>", `one of ${measurements.map(({ name }) => name).join(", ")}`)
  .parse()
  .opts<{ only?: string }>();

const chosen = measurements.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) throw new Error(`There is no measurement ${only}.`);
for (const measurement of chosen) printFigures(measurement, await measurement.run());
