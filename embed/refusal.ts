import { ControlRefusal } from "../local/control/control-route.ts";
import { StartError } from "../local/start-error.ts";
import { OperatorError } from "../ops/terminal/operator-error.ts";

/** Errors whose message is for the person who called. */
const FOR_PEOPLE = [ControlRefusal, StartError, OperatorError] as const;

/** What a caller is told of an error: the message of one that is for people, and the whole stack of any other. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return FOR_PEOPLE.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
