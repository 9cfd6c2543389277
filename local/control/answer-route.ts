import type { IncomingMessage } from "node:http";
import { wholeBody } from "../http/whole-body.ts";
import { commands } from "../installation.ts";
import { ControlRefusal, type ServedRoute } from "./control-route.ts";

/** An answer to a question: a status, and what is written as JSON. */
export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface AnswerOptions {
  readonly bytesMax: number;
  /** Receives the errors of answers, which callers do not see. */
  readonly log: (line: string) => void;
}

/** Tells a caller why there is no answer. */
export const refusal = (status: number, message: string): RouteAnswer => ({ status, body: { message } });

/** Reads a request's body as a route's input, and answers it. Rejects when the caller is gone before its body has come. */
export async function answerRoute(
  route: ServedRoute,
  message: IncomingMessage,
  { bytesMax, log }: AnswerOptions,
): Promise<RouteAnswer> {
  const input = parseJson((await wholeBody(message, bytesMax))?.toString());
  if (input === undefined) return refusal(400, `The body must be JSON of ${bytesMax} bytes at most.`);
  try {
    return { status: 200, body: await route.answer(input) };
  } catch (error) {
    if (error instanceof ControlRefusal) return refusal(409, error.message);
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return refusal(500, `It failed. The error is in the output of \`${commands.start}\`.`);
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
