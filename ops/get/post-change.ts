import { createHash, createHmac, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";
import { isLoopback } from "../../local/gateway/port.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { machineClock } from "../service-time.ts";
import { exchange, NoAnswer, unlessNoAnswer } from "../wallet/http-exchange.ts";
import { waitMsAfter } from "../wallet/retry-after.ts";

/** Who gets the changes, and the key that signs them. */
export interface Receiver {
  readonly url: URL;
  readonly key: Buffer;
}

/** A change as it is delivered. */
export interface Message {
  /** The same each time that this change is delivered. */
  readonly id: string;
  readonly body: string;
}

/** How a delivery waits, and whom it tells of failures. */
export interface DeliveryOptions {
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  /** The receiver's: by default the machine's, also where the service's time was moved. */
  readonly clock?: Clock;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** The first pause, and the longest; each is twice the one before, and up to half longer at random. */
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 600_000;
/** The sizes of a secret (Standard Webhooks). */
const [KEY_BYTES_MIN, KEY_BYTES_MAX] = [24, 64];

/** The address of a receiver. @throws {RangeError} that says what would be right. */
export function parseReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url?.protocol === "https:" ||
    (url?.protocol === "http:" && isLoopback(url.hostname.replaceAll(/[[\]]/g, "")));
  if (url !== undefined && isSafe && url.username === "" && url.password === "" && url.hash === "")
    return url;
  throw new RangeError("A receiver is an https address, or http on this machine, without user and password.");
}

/** The key in a file that has `whsec_` and the key in base64. @throws {OperatorError} that does not show it. */
export async function readSecret(file: string): Promise<Buffer> {
  const [, text = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec((await readGiven(file)).trim()) ?? [];
  const key = Buffer.from(text, "base64");
  if (key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX) return key;
  throw new OperatorError(
    `${nameOfGiven(file)} must hold whsec_ and ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX} bytes in base64. Make one: (printf whsec_; openssl rand -base64 32) > secret.txt`,
  );
}

/** A change as a message. @param version all that tells it from every other one. */
export const messageOf = (
  { type, instant, data }: Readonly<Record<"type" | "instant" | "data", string>>,
  version: readonly string[],
): Message => ({
  id: `msg_${createHash("sha256").update(JSON.stringify(version)).digest("base64url").slice(0, 32)}`,
  body: `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(instant)},"data":${data}}`,
});

/** The headers of Standard Webhooks, which sign the message and the instant of sending it. */
function signedHeaders({ id, body }: Message, key: Buffer, nowMs: number): Record<string, string> {
  const seconds = String(Math.floor(nowMs / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${signature}`,
  };
}

/**
 * Delivers a message: again until the receiver takes it with a 2xx, with growing pauses, or longer ones that it asks for.
 * Redirects are not followed.
 *
 * @throws {OperatorError} when the receiver wants no more (410).
 * @throws the reason of the signal, once it is aborted.
 */
export async function deliver(
  message: Message,
  { url, key }: Receiver,
  {
    signal,
    tell,
    clock = machineClock,
    sleep: pause = (ms) => sleep(ms, undefined, { signal }),
  }: DeliveryOptions,
): Promise<void> {
  for (let ms = PAUSE_MS; ; ms = Math.min(PAUSE_MS_MAX, 2 * ms)) {
    signal.throwIfAborted();
    const headers = signedHeaders(message, key, clock());
    const options = { signal, clock, body: message.body };
    const answer = await exchange(url, headers, {}, options).catch(unlessNoAnswer);
    const seen = answer instanceof NoAnswer ? `no answer (${answer.message})` : String(answer.status);
    if (/^2\d\d$/.test(seen)) return;
    signal.throwIfAborted();
    if (seen === "410")
      throw new OperatorError(`${url.origin} answers 410: it wants no more changes. This one was not taken.`);
    // A receiver that asks for days has made a mistake.
    const askedMs = answer instanceof NoAnswer ? 0 : Math.min(PAUSE_MS_MAX, waitMsAfter(answer, 0));
    const pauseMs = Math.max(ms + randomInt(ms / 2), askedMs);
    tell(`${url.origin}: ${seen}. ${message.id} is sent again in ${Math.ceil(pauseMs / 1000)} s.`);
    await pause(pauseMs);
  }
}
