import type { CountinghouseOptions, Platform } from "../../client/src/index.ts";

/** An answer of a scripted server, or the failure of a connection. */
export type Scripted =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text as it is sent; anything else is sent as JSON. */
      readonly body?: unknown;
    }
  | Error;

/** A request as it was sent. */
interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly atMs: number;
}

/** A server that gives its answers one after the other, and a clock that only waiting moves. */
export interface ScriptedServer {
  /** Options of a client that asks the server; its waits are from 0 to their half. */
  readonly options: Pick<CountinghouseOptions, "baseUrl"> & Platform;
  readonly sent: readonly Sent[];
  /** What was waited, in milliseconds. */
  readonly waits: readonly number[];
}

/** An arbitrary instant: 2026-11-24T21:00:00Z. */
export const SCRIPT_BEGINS_MS = 1_795_554_000_000;

/** Scripts a server. A request beyond the script throws. */
export function scriptServer(answers: readonly Scripted[]): ScriptedServer {
  const sent: Sent[] = [];
  const waits: number[] = [];
  let nowMs = SCRIPT_BEGINS_MS;
  const fetch = async (url: string, { headers, signal }: RequestInit): Promise<Response> => {
    signal?.throwIfAborted();
    const answer = answers[sent.length];
    sent.push({ url, headers: headers as Record<string, string>, atMs: nowMs });
    if (answer === undefined) throw new RangeError("The script has no answer left.");
    if (answer instanceof Error) throw answer;
    return responseOf(answer);
  };
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    waits.push(ms);
    nowMs += ms;
  };
  const platform = { fetch, sleep, now: () => nowMs, random: () => 0.5 };
  return { options: { baseUrl: "https://api.test/base", ...platform }, sent, waits };
}

function responseOf({ status = 200, headers = {}, body }: Exclude<Scripted, Error>): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const isEmpty = status === 304;
  return new Response(isEmpty ? null : text, {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** The body of an error that the service answers. */
export const errorBody = (code: string, members: object = {}): object => ({
  error_id: "0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11",
  code,
  message: "Not now.",
  timestamp: SCRIPT_BEGINS_MS,
  ...members,
});
