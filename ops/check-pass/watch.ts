import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { NoAnswer } from "../wallet/http-exchange.ts";
import { isBusy, type Wallet } from "../wallet/wallet.ts";

/** How often a server is looked at. */
const LOOK_MS = 1_000;
/** How often it is looked whether a server on this machine is up: a restart takes development servers little time. */
const RESTART_LOOK_MS = 100;

/** Why a check is made again, in the words that follow "Checking again: ". */
export type Occasion = "Enter was pressed" | "the server started again" | "the server answers differently";

export interface WatchOptions {
  /** Makes one check and prints its report. Resolves with its exit code. */
  readonly check: () => Promise<number>;
  /** Resolves when there is a reason to check again; rejects once the signal is aborted. */
  readonly nextOccasion: () => Promise<void>;
}

/**
 * Checks again whenever there is a reason, until the signal is aborted.
 *
 * @returns the exit code of the last check that came to its end; undefined when none did.
 */
export async function watchServer(
  { check, nextOccasion }: WatchOptions,
  signal: AbortSignal,
): Promise<number | undefined> {
  let last: number | undefined;
  for (;;) {
    const code = await check();
    if (signal.aborted) return last;
    last = code;
    try {
      await nextOccasion();
    } catch (error) {
      if (signal.aborted) return last;
      throw error;
    }
  }
}

export interface OccasionParts {
  readonly wallet: Wallet;
  readonly reference: string;
  /** The operator's keyboard, or a pipe whose lines count as Enter. */
  readonly input: NodeJS.ReadStream;
  /** What the server's answer was told apart by after the last check. */
  readonly known: string | undefined;
  /** Whether the last check found that nothing listens at the server's address. */
  readonly wasDown: boolean;
  /** Waits for so many milliseconds; rejects once the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The first reason to check a server again. Rejects once the signal is aborted. */
export async function occasionOf(parts: OccasionParts, signal: AbortSignal): Promise<Occasion> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  try {
    return await Promise.race([
      untilEnter(parts.input, either),
      untilRestart(parts, either),
      untilDifference(parts, either),
    ]);
  } finally {
    done.abort();
  }
}

/** The end of a pipe does not start a check. */
async function untilEnter(input: NodeJS.ReadStream, signal: AbortSignal): Promise<Occasion> {
  try {
    const pressed = once(input, "data", { signal });
    // A stream that was paused stays so, whoever listens.
    input.resume();
    await pressed;
    return "Enter was pressed";
  } finally {
    input.pause();
  }
}

/**
 * Connects again and again, and closes each connection at once: one that stays open would occupy a server that serves
 * one caller after the other. A server that restarts refuses connections for a while.
 */
async function untilRestart(parts: OccasionParts, signal: AbortSignal): Promise<Occasion> {
  const { hostname, port, protocol } = parts.wallet.urlOf(parts.reference);
  const host = hostname.replace(/^\[|\]$/g, "");
  const place = { host, port: Number(port || (protocol === "https:" ? 443 : 80)) };
  const lookMs = LOOPBACK.test(host) ? RESTART_LOOK_MS : LOOK_MS;
  let { wasDown } = parts;
  for (;;) {
    const isUp = await takesConnections(place, signal);
    if (isUp && wasDown) return "the server started again";
    wasDown = !isUp;
    await parts.pause(lookMs, signal);
  }
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|::1)$/;

async function takesConnections(
  place: { host: string; port: number },
  signal: AbortSignal,
): Promise<boolean> {
  const socket = connect(place);
  try {
    await once(socket, "connect", { signal });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  } finally {
    socket.on("error", () => {}).destroy();
  }
}

/** Asks for the pass once a second, until the answer is another than the known one, or else than the first. */
async function untilDifference(parts: OccasionParts, signal: AbortSignal): Promise<Occasion> {
  let { known } = parts;
  for (;;) {
    const seen = await fingerprintOf(parts);
    signal.throwIfAborted();
    known ??= seen;
    if (seen !== undefined && seen !== known) return "the server answers differently";
    await parts.pause(LOOK_MS, signal);
  }
}

/** What an answer is told apart by; undefined for no answer, and for a server that is only busy. */
export async function fingerprintOf({
  wallet,
  reference,
}: Pick<OccasionParts, "wallet" | "reference">): Promise<string | undefined> {
  try {
    const response = await wallet.send({ reference });
    if (isBusy(response)) return undefined;
    const { etag = "", "content-type": type = "" } = response.headers;
    const digest = createHash("sha256").update(response.body).digest("hex");
    return [response.status, etag, type, digest].join("\n");
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}
