import * as z from "zod/mini";
import { adviceFor } from "../../local/history/advice.ts";
import { explainAnswer, explanationSchema } from "../../local/history/explain-route.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { defineCommand } from "../command.ts";
import { askControl } from "../control/ask-control.ts";
import { answerText } from "./print-answer.ts";

/** `explain`: says what happened to a request of a running `npm start`. */
export const explainRequest = defineCommand({
  words: "explain",
  summary: `say what happened to a request of a running \`${commands.start}\``,
  about: `
Explains one of the last 2,000 answers of the \`${commands.start}\` that runs on the data directory: the steps that the request
passed and the one that refused it, the credentials that it carried (never the secrets), the parameters as they were read,
the tokens that it was charged, each call of the store with its units, and what to do. ID is the Request-Id or the
apigw-requestid of the answer, or the error_id of its body. What the function did not tell is "not known".`,
  examples: ["ops explain ATfSmjLgPHcESJw=", "ops explain 0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11 --json"],
  exits: {
    0: "explained",
    1: "no such answer is remembered",
    2: `no \`${commands.start}\` runs there`,
  },
  on: "running service",
  takes: { "<id>": "the Request-Id or apigw-requestid of its answer, or an error_id" },
  json: {
    shape: z.extend(explanationSchema, { advice: z.string() }),
    example: {
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
    },
  },
  async run({ id, data }) {
    const { explanation, remembered } = await askControl(data, explainAnswer, { id });
    if (explanation === undefined) {
      const remark = `The \`${commands.start}\` of ${data} remembers no answer with this id; it remembers its last ${remembered}.`;
      return { remark, exitCode: exitCodes.someRefused };
    }
    const advice = await adviceFor(explanation);
    return { json: { ...explanation, advice }, text: answerText(explanation, advice) };
  },
});
