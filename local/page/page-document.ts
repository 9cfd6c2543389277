import { createHash } from "node:crypto";
import type { PageState } from "./page-source.ts";

/** How a note looks, which is shown before there are files of the page. */
const NOTE_STYLE =
  "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }";
/** A refresh by `meta` would leave an address such as `/#/market` where it is: it leads within the document. */
const NOTE_SCRIPT = "setTimeout(() => location.reload(), 1_000);";

const sourceOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What the document may do: run and be styled by its own files, and ask its own origin. */
export const DOCUMENT_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'self' ${sourceOf(NOTE_SCRIPT)}`,
    `style-src 'self' ${sourceOf(NOTE_STYLE)}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  // The document has the key of this start, so no other origin may read it and no cache may keep it.
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

const KEY_PLACE = '<meta name="page-key" content="">';

/** The document as a browser gets it: the page, or a note that it is still being built, which loads itself again. */
export function documentText(state: PageState, key: string): string {
  if (state.kind === "ready")
    return state.files.document.replace(KEY_PLACE, `<meta name="page-key" content="${key}">`);
  if (state.kind === "building")
    return note(
      "The page is being built. It appears here by itself in a few seconds.",
      `<script>${NOTE_SCRIPT}</script>`,
    );
  return note("The page could not be built. The reason is in the output of the local server.", "");
}

const note = (text: string, head: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<title>countinghouse</title>
<style>${NOTE_STYLE}</style>
</head>
<body>
<h1>countinghouse</h1>
<p role="status">${text} The API answers already.</p>
</body>
</html>
`;
