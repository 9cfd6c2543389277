import { setTimeout } from "node:timers/promises";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { adviceFor } from "../../local/history/advice.ts";
import { explainAnswer } from "../../local/history/explain-route.ts";
import { commands, places } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { parseSince } from "../arguments/parse-since.ts";
import { type Context, defineCommand } from "../command.ts";
import { askControl } from "../control/ask-control.ts";
import { deployText } from "../doctor/stage/check-account.ts";
import { isDenied, whyNot } from "../status/why-not.ts";
import { readStageFile } from "../store/stage-file.ts";
import { environmentRegion } from "../store/store-options.ts";
import { instantText } from "../terminal/write-table.ts";
import { openLogs } from "./logs-client.ts";
import { answerText } from "./print-answer.ts";
import { explainLines, type Told, toldSchema } from "./read-lines.ts";
import { searchLog } from "./search-log.ts";

/** The ids of an answer and of its lines. They have nothing that would end a text of a query. */
const ID = /^[\w.:=/+-]{8,128}$/;

/** `explain`: says what happened to a request of a running `npm start`. */
export const explainRequest = defineCommand({
  words: "explain",
  summary: `say what happened to a request of a running \`${commands.start}\`, or of a stage`,
  about: `
Explains one of the last 2,000 answers of the \`${commands.start}\` that runs on the data directory: the steps that the request
passed and the one that refused it, the credentials that it carried (never the secrets), the parameters as they were read,
the tokens that it was charged, each call of the store with its units, and what to do. ID is the Request-Id or the
apigw-requestid of the answer, or the error_id of its body. What the function did not tell is "not known".

With --stage it searches the stage's logs by CloudWatch Logs Insights, first the last three hours, and tells what their
lines know: the reason, the owner, the tokens, the error behind a 5xx, how Lambda ended the function. They have neither
the Request-Id, paths and parameters nor calls of the store. It needs the operators' policy Incidents.`,
  examples: [
    "ops explain ATfSmjLgPHcESJw=",
    "ops explain 0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11 --stage prod --since 30d",
  ],
  exits: {
    0: "explained",
    1: "no such answer is remembered or logged",
    2: `no \`${commands.start}\` runs there, or the logs cannot be searched`,
  },
  on: "running service or stage",
  takes: {
    "<id>": "the Request-Id or apigw-requestid of its answer, or an error_id",
    "--since <time>": {
      text: "of a stage: from when on, a length of time back from now, a date, or an instant",
      parse: (text) => parseSince(text, systemClock()),
      default: "7d",
    },
  },
  json: {
    shape: z.extend(toldSchema, { advice: z.string() }),
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
  async run({ id, data, stage, since }, context) {
    if (stage !== undefined) return await explainDeployed(id, stage, since, context);
    const { explanation, remembered } = await askControl(data, explainAnswer, { id });
    if (explanation === undefined) {
      const remark = `The \`${commands.start}\` of ${data} remembers no answer with this id; it remembers its last ${remembered}.`;
      return { remark, exitCode: exitCodes.someRefused };
    }
    return toldResult(explanation, await adviceFor(explanation));
  },
});

const toldResult = (told: Told, advice: string) => ({
  json: { ...told, advice },
  text: answerText(told, advice),
});

async function explainDeployed(
  id: string,
  stage: string,
  sinceMs: number,
  { progress }: Pick<Context<never>, "progress">,
) {
  if (!ID.test(id)) throw new OperatorError("This is not an id of an answer, such as its apigw-requestid.");
  if (sinceMs >= systemClock())
    throw new OperatorError("--since lies in the future: nothing is logged there.");
  const { region, logRetentionDays } = readStageFile(stage);
  using logs = await openLogs(region ?? environmentRegion());
  const searching = { ask: logs.ask, clock: systemClock, wait: setTimeout, progress };
  const found = await searchLog(searching, { stageName: stage, id, sinceMs })
    .catch((error: unknown) => {
      throw explainFault(error, stage);
    })
    .finally(() => progress(""));
  const told = explainLines(found.lines);
  if (told !== undefined) return toldResult(told, await operatorsAdvice(told));
  const remark = `No line of the stage ${stage} since ${instantText(sinceMs)} has this id: ${inThousands(found.scanned)} lines were searched.
Give the apigw-requestid or the error_id (no line has a Request-Id), or an earlier time, such as --since 30d: the lines of functions stay ${logRetentionDays} days.
A line may come a minute after its answer.`;
  return { remark: remark.replaceAll("\n", " "), exitCode: exitCodes.someRefused };
}

function explainFault(error: unknown, stage: string): unknown {
  if (error instanceof OperatorError) return error;
  const todo = isDenied(error)
    ? ` Attach IncidentsPolicy, an output of countinghouse-${stage}-operators (${places.shownDocuments}/deployment.md, Permissions of operators).`
    : error instanceof Error && error.name === "ResourceNotFoundException"
      ? ` A part of the logs is gone: ${deployText(stage, "api")} makes it anew.`
      : "";
  return new OperatorError(
    `The logs of the stage ${stage} cannot be searched: ${whyNot(error)}.${todo}`,
    error,
  );
}

/** What somebody does who has the stage to look after. */
async function operatorsAdvice(told: Told): Promise<string> {
  const { status, code } = told;
  if (status < 500 || code === "service_disabled") return await adviceFor(told);
  const section = told.steps.length === 0 ? "Gateway" : "Failures";
  return `${places.shownDocuments}/runbook.md, ${section}, has the steps.`;
}
