import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commands, places } from "../installation.ts";
import { OperatorError } from "../process/operator-error.ts";

const DOCUMENT = join(places.documents, "errors.md");

/** The advice for answers without an error code, by status. */
const GATEWAY_ADVICE: ReadonlyMap<number, string> = new Map([
  [200, "Nothing: the request was answered."],
  [204, "Nothing: the gateway answered a browser's preflight by itself."],
  [304, "Nothing: what the caller has is still current."],
  [400, "Correct the path or the Host header: the gateway could not read the request."],
  [
    404,
    `Check method and path: no route matches them. ${places.shownDocuments}/reference.md lists the routes.`,
  ],
  [413, "Send a smaller body; endpoints take none."],
  [417, "Leave out the Expect header."],
  [431, "Send fewer or shorter headers: request line and header values may have 10,240 bytes."],
  [500, `See the log of ${commands.start}: the function failed, or its answer broke a rule of the gateway.`],
  [503, "Repeat the request: the function was too slow, or too many requests were waiting."],
]);

/**
 * What to do about an answer: for a code, what docs/errors.md says.
 *
 * @throws {OperatorError} when the document cannot be read.
 */
export async function adviceFor({
  code,
  status,
}: {
  readonly code?: string | undefined;
  readonly status: number;
}): Promise<string> {
  if (code === undefined) return GATEWAY_ADVICE.get(status) ?? `See ${places.shownDocuments}/errors.md.`;
  const text = await readFile(DOCUMENT, "utf8").catch((error: unknown) => {
    throw new OperatorError(`${DOCUMENT} cannot be read.`, error);
  });
  return adviceIn(text, code) ?? `See ${places.shownDocuments}/errors.md.`;
}

/** The last cell of the row of a code, without its markup; undefined for a code without a row. */
export function adviceIn(document: string, code: string): string | undefined {
  const row = document
    .split("\n")
    .find((line) => line.startsWith("| ") && line.includes(` | \`${code}\` | `));
  const cell = row?.split(" | ").at(-1)?.replace(/ \|$/, "");
  return cell?.replaceAll("`", "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
