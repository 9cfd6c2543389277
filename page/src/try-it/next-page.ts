import { parseTwice } from "../../../client/src/exact-json.ts";
import { nextPage } from "../../../client/src/next-page.ts";

/** The page after an answer: by its `Link`, or by `metadata.next_cursor`, as trades have it. Undefined after the last. */
export function pageAfter(
  url: URL,
  { headers, text }: { readonly headers: Headers; readonly text: string },
): URL | undefined {
  try {
    const linked = nextPage(url, headers.get("Link"));
    if (linked !== undefined) return linked;
    const body = parseTwice(text).plain as { readonly metadata?: { readonly next_cursor?: unknown } } | null;
    const cursor = body?.metadata?.next_cursor;
    if (typeof cursor !== "string") return undefined;
    const next = new URL(url);
    next.searchParams.set("cursor", cursor);
    return next;
  } catch {
    return undefined;
  }
}
