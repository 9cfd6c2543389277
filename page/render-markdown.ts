import { Marked, type MarkedExtension, Renderer, type Tokens } from "marked";

/** A heading of a document below its title. */
interface Heading {
  /** The id of its element: what an address of the page has behind its `#`. */
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** A document of the project as the page shows it. */
export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** The address of the reference's screen. Ids that begin with it let the browser itself follow a link to a heading. */
const SCREEN = "/reference";

/** Renders a document of `docs/`, which is trusted: it may have HTML in it. */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  const headings: Heading[] = [];
  const html = new Marked({ async: false, ...rendererOf(headings) }).parse(markdown) as string;
  return { html, headings };
}

/** Notes the headings that it renders. */
function rendererOf(headings: Heading[]): MarkedExtension {
  const plain = new Renderer();
  return {
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${words}</h1>\n`;
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = idOf(text);
        headings.push({ id, text, depth });
        return `<h${depth} id="${id}"><a href="#${id}">${words}</a></h${depth}>\n`;
      },
      // What scrolls by itself has to be reached by the keyboard.
      code(token) {
        return plain.code.call(this, token).replace("<pre>", '<pre tabindex="0">');
      },
      // As the page's own tables are, whose rows become cards where the screen is narrow.
      table({ header, rows }) {
        const columns = header.map(({ text }) => text);
        const name = `${headings.at(-1)?.text ?? ""}: ${columns.join(", ")}`;
        const rowOf = (cells: readonly string[]) => `<tr role="row">${cells.join("")}</tr>\n`;
        const words = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const head = header.map((cell) => `<th role="columnheader">${words(cell)}</th>`);
        const body = rows.map((row) =>
          rowOf(row.map((cell, at) => `<td role="cell" data-label="${columns[at]}">${words(cell)}</td>`)),
        );
        return `<div role="group" tabindex="0" aria-label="${name}"><table class="cards" role="table">
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
