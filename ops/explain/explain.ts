import type { Command } from "commander";
import * as z from "zod/mini";
import { adviceFor } from "../../local/history/advice.ts";
import { explainAnswer, explanationSchema } from "../../local/history/explain-route.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { askControl } from "../control/ask-control.ts";
import { addRunningOptions, type RunningOptions } from "../demo/running-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { answerText } from "./print-answer.ts";

const HELP = `
Explains one of the last 2,000 answers of the \`${commands.start}\` that runs on the data directory: the steps that the request
passed and the one that refused it, the credentials that it carried (never the secrets), the parameters as they were read,
the tokens that it was charged, each call of the store with its units, and what to do. ID is the Request-Id or the
apigw-requestid of the answer, or the error_id of its body. What the function did not tell is "not known".

Examples:
  ${commands.ops} explain ATfSmjLgPHcESJw=
  ${commands.quietOps} explain 0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11 --json

Exit codes: 0 explained, 1 no such answer is remembered, 2 no \`${commands.start}\` runs there.`;

const shape = z.extend(explanationSchema, { advice: z.string() });

const example: z.input<typeof shape> = {
  requestId: "ATfSmjLgPHcESJw=",
  receivedAt: "2026-11-29T00:30:00.000Z",
  durationMs: 12,
  method: "GET",
  target: "/transaction/tx-9",
  endpoint: "get-transaction",
  status: 404,
  code: "not_found",
  message: "There is no such transaction.",
  steps: [],
  presented: [],
  tokensCharged: 1,
  calls: [],
  hints: [],
  advice: "Check the id.",
};

interface Options extends RunningOptions {
  readonly json?: true;
}

async function explain(id: string, { data, json }: Options): Promise<void> {
  const { explanation, remembered } = await askControl(data, explainAnswer, { id });
  if (explanation === undefined) {
    console.error(
      `The \`${commands.start}\` of ${data} remembers no answer with this id; it remembers its last ${remembered}.`,
    );
    process.exitCode = exitCodes.someRefused;
    return;
  }
  const advice = await adviceFor(explanation);
  if (json === true) printJson(shape, { ...explanation, advice });
  else console.log(answerText(explanation, advice));
}

/** `explain`: says what happened to a request of a running `npm start`. */
export function explainRequest(program: Command): void {
  const command = program
    .command("explain")
    .description(`say what happened to a request of a running \`${commands.start}\``)
    .argument("<id>", "the Request-Id or apigw-requestid of its answer, or an error_id");
  addJsonOption(addRunningOptions(command), shape, example).addHelpText("after", HELP).action(explain);
}
