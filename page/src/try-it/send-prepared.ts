import { randomId } from "../../../client/src/platform.ts";
import type { Explanation } from "../../../local/history/explain-route.ts";
import { askAlive } from "../api/alive.ts";
import { type AskError, ask } from "../api/ask.ts";
import { type Answer, send } from "../api/send.ts";
import type { PreparedRequest } from "./prepare-request.ts";

/** What came of a request: its answer, or why there is none, with what the server knows of a refusal or a lost answer. */
export type Outcome = { readonly by?: Explanation | undefined } & (
  | { readonly kind: "answered"; readonly sent: PreparedRequest; readonly answer: Answer }
  | { readonly kind: "unsendable" | "lost" | "stopped"; readonly reason: string }
);

const BROKEN = "The connection broke before the whole answer had come.";

const STOPPED = "You stopped waiting. The live log has what the service answered.";

/** Why a request has no answer: the connection broke, by a fault or not, or the server is gone. */
const whyLost = (requestId: string) =>
  askAlive().then(
    async () => ({ reason: BROKEN, by: await explained(requestId) }),
    ({ message }: AskError) => ({ reason: message }),
  );

/** What the server knows of a request, by one of its ids; undefined for nothing. */
export const explained = (id = ""): Promise<Explanation | undefined> =>
  ask("explain", { id }).then(
    ({ explanation }) => explanation,
    () => undefined,
  );

/** Sends a prepared request of an endpoint to this page's own origin, and waits until the answer is there or `signal` ends it. */
export async function sendPrepared(sent: PreparedRequest, signal?: AbortSignal): Promise<Outcome> {
  const { url } = sent;
  // An id of its own finds what the server knows of an answer that does not come.
  const headers = { "Request-Id": randomId(), ...sent.headers };
  const unsendable = whyUnsendable(headers);
  if (unsendable !== undefined) return { kind: "unsendable", reason: unsendable };
  const answer = await send({ target: `${url.pathname}${url.search}`, headers }, signal).catch(
    () => undefined,
  );
  if (answer === undefined) return { kind: "stopped", reason: STOPPED };
  if (answer.kind === "lost") return { kind: "lost", ...(await whyLost(headers["Request-Id"])) };
  const by = answer.status < 400 ? undefined : await explained(answer.headers["apigw-requestid"]);
  return { kind: "answered", sent, answer, by };
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
