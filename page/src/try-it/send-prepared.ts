import type { Explanation } from "../../../local/history/explain-route.ts";
import { type AskError, ask } from "../api/ask.ts";
import { faults, look } from "../api/faults.ts";
import { type Answer, send } from "../api/send.ts";
import type { PreparedRequest } from "./prepare-request.ts";

/** A fault on purpose, and the endpoint that it is of. */
export type MetFault = Pick<Explanation, "fault" | "endpoint">;

/** What came of a request: its answer with what the server knows of a refusal, or why there is none, as by a fault. */
export type Outcome = { readonly sent: PreparedRequest } & (
  | { readonly kind: "answered"; readonly answer: Answer; readonly by?: Explanation | undefined }
  | {
      readonly kind: "unsendable" | "lost" | "stopped";
      readonly reason: string;
      readonly by?: MetFault | undefined;
    }
);

const BROKEN = "The connection broke before the whole answer had come.";

const STOPPED = "You stopped waiting. The live log has what the service answered.";

/** Why a request has no answer: the connection broke, by a fault of its endpoint or not, or the server is gone. */
const whyLost = (of: string) =>
  look().then(
    () => ({
      reason: BROKEN,
      by: faults.value.find((one) => one.endpoint === of && one.hits > 0 && /cut|reset/.test(one.fault)),
    }),
    ({ message }: AskError) => ({ reason: message }),
  );

const explained = ({ headers }: Answer): Promise<Explanation | undefined> =>
  ask("explain", { id: headers["apigw-requestid"] ?? "" }).then(
    ({ explanation }) => explanation,
    () => undefined,
  );

/** Sends a prepared request of an endpoint to this page's own origin, and waits until the answer is there or `signal` ends it. */
export async function sendPrepared(
  sent: PreparedRequest,
  endpoint: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { url, headers } = sent;
  const unsendable = whyUnsendable(headers);
  if (unsendable !== undefined) return { kind: "unsendable", sent, reason: unsendable };
  const answer = await send({ target: `${url.pathname}${url.search}`, headers }, signal).catch(
    () => undefined,
  );
  if (answer === undefined) return { kind: "stopped", sent, reason: STOPPED };
  if (answer.kind === "lost") return { kind: "lost", sent, ...(await whyLost(endpoint)) };
  return { kind: "answered", sent, answer, ...(answer.status >= 400 && { by: await explained(answer) }) };
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
