import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../page/render-markdown.ts";

const htmlOf = (markdown: string): string => renderMarkdown(markdown).html;

describe("a document on the page", () => {
  test("has a link to each of its headings, which its contents name without the title", () => {
    const { html, headings } = renderMarkdown("# Reference\n\n## Every answer\n\n### `Request-Id`, once\n");
    expect(headings).toEqual([
      { id: "/reference/every-answer", text: "Every answer", depth: 2 },
      { id: "/reference/request-id-once", text: "Request-Id, once", depth: 3 },
    ]);
    expect(html).toBe(
      "<h1>Reference</h1>\n" +
        '<h2 id="/reference/every-answer"><a href="#/reference/every-answer">Every answer</a></h2>\n' +
        '<h3 id="/reference/request-id-once"><a href="#/reference/request-id-once"><code>Request-Id</code>, once</a></h3>\n',
    );
  });

  test.each([
    ["[List trades](#list-trades)", '<a href="#/reference/list-trades">List trades</a>'],
    ["[openapi.json](api/openapi.json)", '<a href="api/openapi.json">openapi.json</a>'],
    ["[errors.md](errors.md)", "<code>docs/errors.md</code>"],
    ["[errors.md](errors.md#repeat)", "<code>docs/errors.md</code>"],
  ])("shows %s as what the page can follow", (link, shown) => {
    expect(htmlOf(link)).toBe(`<p>${shown}</p>\n`);
  });

  test("has tables and code that the keyboard reaches, tables with a caption, and cells that know their column", () => {
    const html = htmlOf("## Limits\n\n| cost | buckets |\n| --- | --- |\n| 1 | `a` |\n\n```\nGET /\n```\n");
    expect(html).toContain('<div role="group" tabindex="0" aria-label="Limits: cost, buckets"><table');
    expect(html).toContain('<caption class="visually-hidden">Limits: cost, buckets</caption>');
    expect(html).toContain('<td role="cell" data-label="buckets"><code>a</code></td>');
    expect(html).toContain('<pre tabindex="0"><code>GET /');
  });

  test("keeps what is folded, and each digit and sign of an example", () => {
    const html = htmlOf(
      '<details><summary>An order</summary>\n\n```http\n{"amount": 0.10, "a": "<b> & c"}\n```\n\n</details>\n',
    );
    expect(html).toContain("<details><summary>An order</summary>");
    expect(html).toContain("{&quot;amount&quot;: 0.10, &quot;a&quot;: &quot;&lt;b&gt; &amp; c&quot;}");
  });
});
