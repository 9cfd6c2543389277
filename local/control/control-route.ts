import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type * as z from "zod/mini";
import { givenText } from "../../infra/settings/given-text.ts";
import { parsedJson } from "../../lib/json-value.ts";
import { type HttpAnswer, wholeBody } from "../http/server.ts";
import { commands } from "../installation.ts";

/**
 * One question that `npm run ops` may put to a running `npm start`, as both sides know it. Input and output are JSON,
 * and each side checks what it receives.
 */
export interface ControlRoute<Input, Output> {
  /** The route's path without its slash, in kebab-case. */
  readonly name: string;
  readonly input: z.ZodMiniType<Input>;
  readonly output: z.ZodMiniType<Output>;
}

/** A route with its answer, as the control server serves it. */
export interface ServedRoute {
  readonly name: string;
  /** Resolves with the output. Rejects with a `ControlRefusal` for an input that cannot be followed. */
  readonly answer: (input: unknown) => Promise<unknown>;
}

/** The running service cannot do what was asked. The message is for the person who asked, and says what is possible. */
export class ControlRefusal extends Error {
  override readonly name = "ControlRefusal";
  /** That of an answer over HTTP. */
  readonly status: number;

  constructor(message: string, status = 409) {
    super(message);
    this.status = status;
  }
}

/**
 * Joins a route with the function that answers it. The server's list of routes gets one such entry for each route. One whose
 * output nobody checks may lack that.
 */
export function serveRoute<Input, Output>(
  { name, input }: Omit<ControlRoute<Input, Output>, "output"> & Partial<ControlRoute<Input, Output>>,
  act: (input: Input) => Output | Promise<Output>,
): ServedRoute {
  return {
    name,
    answer: async (given) => {
      const { success, data, error } = input.safeParse(given);
      if (success) return await act(data);
      const places = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      throw new ControlRefusal(`The input of ${name} is not understood (${places.join("; ")}).`);
    },
  };
}

/** An answer to a question: a status, and what is written as JSON. */
export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface AnswerOptions {
  readonly bytesMax: number;
  /** Receives the errors of answers, which callers do not see. */
  readonly log: (line: string) => void;
}

/** Tells a caller why there is no answer. */
export const refusal = (status: number, message: string): RouteAnswer => ({ status, body: { message } });

/** An answer as it is sent. No cache keeps it. */
export const asJson = ({ status, body }: RouteAnswer): HttpAnswer => ({
  status,
  headers: {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  },
  body: JSON.stringify(body),
});

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether a caller shows the right key. How long it takes tells nothing of the key. */
export const isKey = (shown: string, key: string): boolean => timingSafeEqual(digest(shown), digest(key));

/** Reads a request's body as a route's input, and answers it. Rejects when the caller is gone before its body has come. */
export async function answerRoute(
  route: ServedRoute,
  message: IncomingMessage,
  { bytesMax, log }: AnswerOptions,
): Promise<RouteAnswer> {
  const input = parseJson(await wholeBody(message, bytesMax));
  if (input === undefined) return refusal(400, `The body must be JSON of ${bytesMax} bytes at most.`);
  try {
    return { status: 200, body: await route.answer(input) };
  } catch (error) {
    if (error instanceof ControlRefusal) return refusal(error.status, error.message);
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return refusal(500, `It failed. The error is in the output of \`${commands.start}\`.`);
  }
}

/** The JSON in some bytes; undefined where there is none, or they are not UTF-8. */
export const parseJson = (bytes: Uint8Array | undefined): unknown =>
  bytes && parsedJson(givenText(bytes) ?? "");
