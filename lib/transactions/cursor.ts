import { readBase64url } from "../base64url.ts";
import { isPosition } from "./created-key.ts";

/**
 * A place in a business's list, as a caller holds it. It needs no seal: it says only where to go on among the caller's
 * own records, which the caller could ask for by date as well.
 */
export const writeCursor = (position: string): string => Buffer.from(position).toString("base64url");

/** The place that a cursor names; `undefined` when we cannot have written it. */
export function readCursor(cursor: string): string | undefined {
  const position = readBase64url(cursor)?.toString("utf8");
  return position !== undefined && isPosition(position) ? position : undefined;
}
