/** A piece of a text: plain, code, or a link. */
type Piece =
  | { readonly text: string }
  | { readonly code: string }
  | { readonly link: string; readonly text: string };

/** A part of a page: an optional heading, paragraphs, and a table. */
interface Section {
  readonly heading?: string;
  readonly paragraphs?: readonly (readonly Piece[])[];
  readonly head?: readonly string[];
  readonly rows?: readonly (readonly Piece[])[];
}

/** Colours follow the reader's system; tables scroll by themselves on a narrow screen. */
const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1.5rem}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{text-align:start;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid GrayText}`;

/** Escapes every character that can begin or end markup, by its number. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A whole HTML document that needs no other file and no script. Every text is escaped. */
export function htmlPage({
  title,
  sections,
}: {
  readonly title: string;
  readonly sections: readonly Section[];
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${sections.map(sectionHtml).join("\n")}
</main>
</body>
</html>
`;
}

const sectionHtml = ({ heading, paragraphs = [], head, rows }: Section): string =>
  [
    ...(heading === undefined ? [] : [`<h2>${escaped(heading)}</h2>`]),
    ...paragraphs.map((pieces) => `<p>${pieces.map(pieceHtml).join("")}</p>`),
    ...(head === undefined || rows === undefined ? [] : [tableHtml(head, rows)]),
  ].join("\n");

const tableHtml = (head: readonly string[], rows: readonly (readonly Piece[])[]): string =>
  [
    "<table>",
    `<thead><tr>${head.map((name) => `<th scope="col">${escaped(name)}</th>`).join("")}</tr></thead>`,
    "<tbody>",
    ...rows.map((row) => `<tr>${row.map((piece) => `<td>${pieceHtml(piece)}</td>`).join("")}</tr>`),
    "</tbody>",
    "</table>",
  ].join("\n");

function pieceHtml(piece: Piece): string {
  if ("code" in piece) return `<code>${escaped(piece.code)}</code>`;
  if ("link" in piece) return `<a href="${escaped(piece.link)}">${escaped(piece.text)}</a>`;
  return escaped(piece.text);
}
