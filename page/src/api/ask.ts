import type { QuestionName, Questions } from "../../../local/page/page-questions.ts";
import { LiveState } from "../live-state.ts";

type Service = "answers" | "stopped" | "another start";

/** Whether the server that this document came from is there, as the last question found it. The header tells of it. */
export const service = new LiveState<Service>("answers");

/** Notes what was found of the server. After another start it is never this document's again. */
export const noteService = (found: Service): void => {
  if (service.value !== "another start") service.set(found);
};

/** Why a question got no answer: `refused` is about what was asked, the others about the service. */
type AskFailure = "refused" | "failed" | "unreachable" | "stale key";

/** A question that the local server has not answered. The message is a sentence for the visitor. */
export class AskError extends Error {
  override readonly name = "AskError";
  readonly kind: AskFailure;

  constructor(kind: AskFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The key of the start that this document came from. Questions without it are refused. */
export const pageKey = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="page-key"]')?.content ?? "";

/** Asks the local server a question of the page. @throws {AskError} for a refusal, a failure, or a server that is gone. */
export async function ask<Name extends QuestionName>(
  name: Name,
  input: Questions[Name]["input"],
  signal?: AbortSignal,
): Promise<Questions[Name]["output"]> {
  const response = await fetch(`/_page/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-page-key": pageKey() },
    body: JSON.stringify(input),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    noteService("stopped");
    throw new AskError("unreachable", "The local server does not answer. Is the service still running?");
  });
  noteService(response.status === 401 ? "another start" : "answers");
  const body = (await response.json().catch(() => ({}))) as Questions[Name]["output"] & {
    readonly message?: string;
  };
  if (response.ok) return body;
  throw failureOf(response.status, body.message);
}

function failureOf(status: number, message = "The local server gave no reason."): AskError {
  if (status === 401) return new AskError("stale key", "The server was started again. Load the page again.");
  return new AskError(status === 409 ? "refused" : "failed", message);
}
