import { Marked, type MarkedExtension, Renderer, type Token, type Tokens } from "marked";
import type { TryLinks } from "./try-links.ts";

/** A part of a document, from one heading to the next. */
interface Section {
  /** The id of its heading: what an address of the page has behind its `#`. Empty for the part below the title. */
  readonly id: string;
  readonly text: string;
  readonly depth: number;
  readonly html: string;
}

/** The address of the reference's screen. Ids that begin with it let the browser itself follow a link to a heading. */
const SCREEN = "/reference";

/** Renders a document of `docs/`, which is trusted: it may have HTML in it. Its requests get links to try them. */
export function renderMarkdown(markdown: string, tryLinks: TryLinks): readonly Section[] {
  const plain = new Marked();
  return partsOf(plain.lexer(markdown)).map((tokens) => {
    const heading = { id: "", text: "", depth: 1 };
    const html = new Marked(rendererOf(heading, tryLinks)).parser(tokens);
    return { ...heading, html };
  });
}

/** The tokens of each part; the first has the title. */
function partsOf(tokens: readonly Token[]): readonly Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === "heading" && token.depth > 1) parts.push([]);
    parts.at(-1)?.push(token);
  }
  return parts;
}

const tryIt = (address: string, what: string): string =>
  `<a href="${escaped(address)}">Try it<span class="visually-hidden">: ${escaped(what)}</span></a>`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Notes the heading that it renders. */
function rendererOf(
  heading: { id: string; text: string; depth: number },
  { ofRoute, ofExample }: TryLinks,
): MarkedExtension {
  const plain = new Renderer();
  return {
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${words}</h1>\n`;
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = idOf(text);
        Object.assign(heading, { id, text, depth });
        return `<h${depth} id="${id}"><a href="#${id}">${words}</a></h${depth}>\n`;
      },
      paragraph(token) {
        const [, route = ""] = /^`GET (\S+)`$/.exec(token.text) ?? [];
        const address = ofRoute(route);
        const words = this.parser.parseInline(token.tokens);
        return `<p>${words}${address === undefined ? "" : ` ${tryIt(address, route)}`}</p>\n`;
      },
      // What scrolls by itself has to be reached by the keyboard.
      code(token) {
        const html = plain.code.call(this, token).replace("<pre>", '<pre tabindex="0">');
        const address = token.lang === "http" ? ofExample(token.text) : undefined;
        const [request = ""] = token.text.split("\n");
        return address === undefined ? html : `<p>${tryIt(address, request)}</p>\n${html}`;
      },
      // As the page's own tables are, whose rows become cards where the screen is narrow.
      table({ header, rows }) {
        const columns = header.map(({ text }) => text);
        const name = `${heading.text}: ${columns.join(", ")}`;
        const rowOf = (cells: readonly string[]) => `<tr role="row">${cells.join("")}</tr>\n`;
        const words = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const head = header.map((cell) => `<th role="columnheader">${words(cell)}</th>`);
        const body = rows.map((row) =>
          rowOf(row.map((cell, at) => `<td role="cell" data-label="${columns[at]}">${words(cell)}</td>`)),
        );
        return `<div class="frame panel" role="group" tabindex="0" aria-label="${name}"><table class="cards" role="table">
<caption class="visually-hidden">${name}</caption>
<thead role="rowgroup">${rowOf(head)}</thead><tbody role="rowgroup">${body.join("")}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        // Other documents lie in the project and in its package, and are not served.
        if (/\.md(?:#|$)/.test(href)) return `<code>docs/${href.replace(/#.*/, "")}</code>`;
        const target = href.startsWith("#") ? `#${idOf(href.slice(1))}` : href;
        return `<a href="${target}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  };
}

/** GitHub's anchor of a heading, below the address of the screen. */
function idOf(heading: string): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
  return `${SCREEN}/${anchor}`;
}
