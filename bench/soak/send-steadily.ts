import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../lib/clock.ts";
import type { NextRequest, ReadyRequest } from "./mix.ts";

/** A request that is answered or broken off. */
export interface Met {
  readonly endpoint: string;
  /** The answer's status; 0 for a request without an answer. */
  readonly status: number;
  /** From the instant at which the request was due to the end of its answer. */
  readonly tookMs: number;
  /** The error's code and message; empty for an answer of status 200. */
  readonly complaint: string;
}

/** How often requests that are due are sent. */
const TICK_MS = 5;
const ANSWER_MS_MAX = 35_000;

/**
 * Sends `perSecond` requests a second, however slowly they are answered: a service that falls behind cannot slow the
 * load down. Resolves when `stop` is aborted and every request is answered.
 */
export async function sendSteadily(
  { next, perSecond }: { readonly next: NextRequest; readonly perSecond: number },
  onMet: (met: Met) => void,
  stop: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const open = new Set<Promise<void>>();
  for (let sent = 0; !stop.aborted; ) {
    for (; startedAt + (1_000 * sent) / perSecond <= performance.now(); sent += 1) {
      const dueMs = startedAt + (1_000 * sent) / perSecond;
      const asked = send(next(sent, systemClock()), agent, dueMs).then(onMet);
      open.add(asked);
      void asked.then(() => open.delete(asked));
    }
    await pause(TICK_MS);
  }
  await Promise.all(open);
  agent.destroy();
}

async function send({ endpoint, url, headers }: ReadyRequest, agent: Agent, dueMs: number): Promise<Met> {
  const met = (status: number, complaint: string): Met => ({
    endpoint,
    status,
    tookMs: performance.now() - dueMs,
    complaint,
  });
  try {
    const request = get(url, { headers, agent, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const body = await buffer(response);
    const status = response.statusCode ?? 0;
    return met(status, status === 200 ? "" : complaintOf(body.toString()));
  } catch (error) {
    return met(0, error instanceof Error ? error.message : String(error));
  }
}

const complaintOf = (body: string): string =>
  /"(?:code|message)":"[^"]*"/.exec(body)?.[0] ?? body.slice(0, 80);
