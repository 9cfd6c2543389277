import { isMembers, parsedJson } from "../../../lib/json-value.ts";

/** The members of an error's body that an explanation uses. The gateway's own errors have a message alone. */
export interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  /** When the server answered, in epoch milliseconds. */
  readonly timestamp?: number;
}

/** Reads the body of a refusal; an empty one for a text of any other form. */
export function errorBodyOf(text: string): ErrorBody {
  const document = parsedJson(text);
  const { code, message, timestamp } = isMembers(document) ? document : {};
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof message === "string" && { message }),
    ...(typeof timestamp === "number" && { timestamp }),
  };
}
