import { parseTwice } from "../../../client/src/exact-json.ts";
import { nextPage } from "../../../client/src/next-page.ts";

/** The address of the page after an answer: by its `Link`, or by the cursor in its body. Undefined after the last page. */
export function pageAfter(
  url: URL,
  { headers, text }: { readonly headers: Headers; readonly text: string },
): URL | undefined {
  const linked = linkedPage(url, headers);
  if (linked !== undefined) return linked;
  const cursor = cursorIn(text);
  if (cursor === undefined) return undefined;
  const next = new URL(url);
  next.searchParams.set("cursor", cursor);
  return next;
}

/** The next page by `Link`; undefined without one, or where the header cannot be read. */
function linkedPage(url: URL, headers: Headers): URL | undefined {
  try {
    return nextPage(url, headers.get("Link"));
  } catch {
    return undefined;
  }
}

/** The member `metadata.next_cursor` of a body, as trades have it. */
function cursorIn(text: string): string | undefined {
  try {
    const body = parseTwice(text).plain as { readonly metadata?: { readonly next_cursor?: unknown } } | null;
    const cursor = body?.metadata?.next_cursor;
    return typeof cursor === "string" ? cursor : undefined;
  } catch {
    return undefined;
  }
}
