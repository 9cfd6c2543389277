import { once } from "node:events";
import { codeOf } from "../../local/process/operator-error.ts";
import type { TlsFiles } from "../wallet/http-exchange.ts";
import { connect } from "../wallet/wire.ts";
import { bytesOf, type Message, methodOf } from "./message.ts";
import { type Answer, readAnswer, withoutInterim } from "./read-answer.ts";

/** More than any answer to the suite; the rest of a longer one is not read. */
const BYTES_MAX = 4_194_304;

/** What came back: an answer, or the reason why there is none. */
export type Seen =
  | ({ readonly kind: "answer" } & Answer)
  | {
      readonly kind: "none";
      /** In words that do not depend on when the connection ended. */
      readonly why: string;
      /** Whether the server was not reached at all: no connection, or no trust in its certificate. */
      readonly isUnreached: boolean;
    };

/** Where a message goes. */
export interface Destination {
  readonly url: URL;
  readonly tls: TlsFiles;
}

/** The time for one request, and the signal that ends it earlier. */
export interface SendLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends one message on a connection of its own, byte for byte, and reads the answer. A server's certificate is always
 * judged, whatever the environment says. Never rejects.
 */
export async function sendMessage(
  { url, tls }: Destination,
  message: Message,
  { timeoutMs, signal }: SendLimits,
): Promise<Seen> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([timeout, signal]);
  const socket = connect(url, { ...tls, rejectUnauthorized: true });
  const stop = (): void => void socket.destroy();
  either.addEventListener("abort", stop, { once: true });
  const method = methodOf(message);
  let bytes: Buffer = Buffer.alloc(0);
  let read = 0;
  let answer: Answer | undefined;
  let failure: unknown;
  let wasOpen = false;
  socket.on(url.protocol === "https:" ? "secureConnect" : "connect", () => {
    wasOpen = true;
  });
  socket.on("error", (error) => {
    failure ??= error;
  });
  socket.on("data", (chunk) => {
    read += chunk.length;
    // Dropped as they come: reading them again with each piece would take longer and longer.
    bytes = withoutInterim(Buffer.concat([bytes, chunk]));
    answer = readAnswer(bytes, method, false);
    if (answer !== undefined || read > BYTES_MAX) socket.destroy();
  });
  // A server that ends its side has said everything.
  socket.on("end", () => socket.destroy());
  const closed = once(socket, "close").catch(() => {});
  socket.write(bytesOf(message, url.host));
  if (either.aborted) stop();
  await closed;
  either.removeEventListener("abort", stop);
  answer ??= readAnswer(bytes, method, true);
  if (answer !== undefined) return { kind: "answer", ...answer };
  return noAnswer({ failure, wasOpen, isSilent: timeout.aborted, timeoutMs, hasBytes: read > 0 });
}

/** The codes of a certificate that is not trusted. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|^CRL_|^HOSTNAME_MISMATCH$/;
/** The codes of a connection that the other side ended, in the handshake or after it. */
const ENDED = /^(?:ECONNRESET|EPIPE|ERR_SSL_.*ALERT.*)$/;

interface Failed {
  readonly failure: unknown;
  readonly wasOpen: boolean;
  readonly isSilent: boolean;
  readonly timeoutMs: number;
  readonly hasBytes: boolean;
}

function noAnswer({ failure, wasOpen, isSilent, timeoutMs, hasBytes }: Failed): Seen {
  const none = (why: string, isUnreached = false): Seen => ({ kind: "none", why, isUnreached });
  if (isSilent) return none(`silent for ${timeoutMs / 1000} s`, !wasOpen);
  const code = failure === undefined ? "" : codeOf(failure);
  if (CERTIFICATE.test(code) && !ENDED.test(code))
    return none(`a certificate that is not trusted (${code})`, true);
  if (hasBytes) return none("bytes that are not a whole answer");
  if (code === "" || ENDED.test(code)) return none("the connection was ended without an answer");
  return none(`no connection (${code})`, !wasOpen);
}
