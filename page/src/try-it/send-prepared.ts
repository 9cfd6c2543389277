import { type AskError, ask } from "../api/ask.ts";
import { type Answer, send } from "../api/send.ts";
import type { PreparedRequest } from "./prepare-request.ts";

/** What came of a request: its answer, or why there is none. */
export type Outcome =
  | { readonly kind: "answered"; readonly sent: PreparedRequest; readonly answer: Answer }
  | { readonly kind: "unsendable" | "lost"; readonly sent: PreparedRequest; readonly reason: string };

const BROKEN =
  "The connection broke before the whole answer had come. A fault on purpose does that: the live log lists them.";

/** Why a request has no answer: the connection broke, or the server is gone. */
const whyLost = (): Promise<string> =>
  ask("alive", {}).then(
    () => BROKEN,
    ({ message }: AskError) => message,
  );

/** Sends a prepared request to this page's own origin. */
export async function sendPrepared(sent: PreparedRequest): Promise<Outcome> {
  const { url, headers } = sent;
  const unsendable = whyUnsendable(headers);
  if (unsendable !== undefined) return { kind: "unsendable", sent, reason: unsendable };
  const answer = await send({ target: `${url.pathname}${url.search}`, headers });
  if (answer.kind === "lost") return { kind: "lost", sent, reason: await whyLost() };
  return { kind: "answered", sent, answer };
}

/** Why a browser does not send these headers; undefined when it does. */
function whyUnsendable(headers: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(headers).find((one) => !isSendable(one, headers[one] ?? ""));
  if (name === undefined) return undefined;
  return `${name} has a character that a header cannot have, so the browser does not send it.`;
}

function isSendable(name: string, value: string): boolean {
  try {
    return new Headers({ [name]: value }).has(name);
  } catch {
    return false;
  }
}
