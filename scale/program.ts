import { Command, InvalidArgumentError } from "commander";
import { readResults } from "../bench/results.ts";
import { readStage, stageFileOf } from "../infra/stage.ts";
import { SEED } from "./default-deployment.ts";
import { usualAccount } from "./quotas.ts";
import { play, wallReport } from "./report.ts";
import { playedLines, wallLines } from "./terminal.ts";

interface Options {
  readonly stage: string;
  readonly call?: string;
  readonly concurrency: number;
  readonly requests: number;
  readonly seed: number;
  /** Whether scenarios are played. */
  readonly play: boolean;
  readonly json: boolean;
}

function positive(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 99999999.");
}

const EXAMPLES = `
Examples:
  npm run simulate                            the first walls, and each scenario
  npm run simulate -- --call list-trades      every wall of these calls
  npm run simulate -- --concurrency 10        in a new account
  npm run simulate -- --stage prod --json     stages/prod.json, for programs

Exit codes: 0 done, 2 failed`;

const programOf = (): Command =>
  new Command("npm run simulate --")
    .description(
      "Says at which rate each kind of call meets which wall, what an hour costs there, and what lifts the wall; and plays " +
        "loads against a model of Lambda, the gateway and DynamoDB. Nothing is called. docs/scaling.md has the same.",
    )
    .option("--stage <name>", "settings to compute with, from stages/", "example")
    .option("--call <text>", "only calls whose name has this text, with every wall")
    .option("--concurrency <number>", "environments of Lambda at once", positive, usualAccount.concurrency)
    .option(
      "--requests <number>",
      "requests a second of the gateway",
      positive,
      usualAccount.requestsPerSecond,
    )
    .option("--seed <number>", "other arrivals at random", positive, SEED)
    .option("--no-play", "only the walls")
    .option("--json", "one JSON document, every wall in it", false)
    .addHelpText("after", EXAMPLES)
    .exitOverride();

/**
 * Does what `npm run simulate` was asked, and returns its output.
 *
 * @throws {StageError} for a stage that cannot be read, and {CommanderError} for wrong arguments or a wish for help.
 */
export async function simulate(argv: readonly string[]): Promise<string> {
  const program = programOf().parse([...argv], { from: "user" });
  const { stage, call, concurrency, requests, seed, json, ...options } = program.opts<Options>();
  const deployment = {
    stage: readStage(stageFileOf(undefined, stage)),
    account: { concurrency, requestsPerSecond: requests },
  };
  const results = await readResults();
  const all = await wallReport(results, deployment);
  const calls = all.filter((one) => one.call.includes(call ?? ""));
  if (calls.length === 0)
    program.error(
      `error: no call has ${call} in its name; there are ${all.map((one) => one.call).join("; ")}.`,
    );
  const played = options.play && call === undefined ? await play(results, deployment, seed) : [];
  if (json) return JSON.stringify({ account: deployment.account, calls, played }, undefined, 2);
  return [
    "Calls a second up to each wall, and dollars for an hour at that rate.",
    ...calls.flatMap((one) => wallLines(one, call !== undefined)),
    ...played.flatMap(playedLines),
  ].join("\n");
}
