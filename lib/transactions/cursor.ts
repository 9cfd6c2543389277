import { readBase64url } from "../base64url.ts";
import { isPosition } from "./created-key.ts";

/**
 * A place in a business's list, as a caller holds it. It needs no seal, because it says only where to continue among
 * the caller's own records, which the caller could also request by date.
 */
export const writeCursor = (position: string): string => Buffer.from(position).toString("base64url");

/** The place that a cursor names; undefined when we cannot have written the cursor. */
export function readCursor(cursor: string): string | undefined {
  const position = readBase64url(cursor)?.toString("utf8");
  return position !== undefined && isPosition(position) ? position : undefined;
}
