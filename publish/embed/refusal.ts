import { ControlRefusal } from "../../local/control/control-route.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { StartError } from "../../local/process/start-error.ts";

/** Errors whose message is for the person who called. */
const FOR_PEOPLE = [ControlRefusal, StartError, OperatorError] as const;

/** What a caller is told of an error: the message of one that is for people. Any other is a fault, and has its stack. */
export function refusalOf(error: unknown): { readonly refusal: string; readonly stack?: string } {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return { refusal: (error as Error).message };
  const [said = ""] = String(error).split("\n");
  const refusal = `The countinghouse failed, by a fault of its own: ${said}`;
  return { refusal, ...(error instanceof Error && error.stack !== undefined && { stack: error.stack }) };
}
