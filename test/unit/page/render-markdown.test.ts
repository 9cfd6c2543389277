import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../page/render-markdown.ts";
import { tryLinks } from "../../../page/try-links.ts";

const links = tryLinks([
  { name: "get-pass", route: "/passes/{partner_reference}" },
  { name: "list-trades", route: "/1.0/trades/all/{symbol}" },
]);
const htmlOf = (markdown: string): string =>
  renderMarkdown(markdown, links)
    .map(({ html }) => html)
    .join("");

describe("a document on the page", () => {
  test("is in parts, each with a link to its heading", () => {
    const sections = renderMarkdown(
      "# Reference\n\nAll.\n\n## Every answer\n\n### `Request-Id`, once\n",
      links,
    );
    expect(sections).toEqual([
      { id: "", text: "", depth: 1, html: "<h1>Reference</h1>\n<p>All.</p>\n" },
      {
        id: "/reference/every-answer",
        text: "Every answer",
        depth: 2,
        html: '<h2 id="/reference/every-answer"><a href="#/reference/every-answer">Every answer</a></h2>\n',
      },
      {
        id: "/reference/request-id-once",
        text: "Request-Id, once",
        depth: 3,
        html: '<h3 id="/reference/request-id-once"><a href="#/reference/request-id-once"><code>Request-Id</code>, once</a></h3>\n',
      },
    ]);
  });

  const ANSWERED = "Accept: */*\n\nHTTP/1.1";
  test.each([
    ["`GET /passes/{partner_reference}`", "#/try/get-pass"],
    [`\`\`\`http\nGET /passes/a%2Fb\n${ANSWERED} 404\n\`\`\``, "#/try/get-pass?partner_reference=a%2Fb"],
    [`\`\`\`http\nGET /passes/recorded\n${ANSWERED} 200\n\`\`\``, "#/try/get-pass"],
    [
      `\`\`\`http\nGET /1.0/trades/all/A-B?start_date=1795554000&limit=2\n${ANSWERED} 400\n\`\`\``,
      "#/try/list-trades?symbol=A-B&amp;start_date=1795554000&amp;limit=2",
    ],
    [
      `\`\`\`http\nGET /1.0/trades/all/A-B?start_date=1795467600000&limit=2\n${ANSWERED} 200\n\`\`\``,
      "#/try/list-trades?limit=2",
    ],
    [`\`\`\`http\nGET /passes/a?id_type=request_id\n${ANSWERED} 200\n\`\`\``, "#/try/get-pass"],
    [
      `\`\`\`http\nGET /1.0/trades/all/A-B?request_id=a&from=2026-11-20&count=2\n${ANSWERED} 200\n\`\`\``,
      "#/try/list-trades?count=2",
    ],
  ])(
    "lets %j be tried at %s: an answer that was good is good with the demo's records too",
    (shown, address) => {
      expect(htmlOf(shown)).toContain(`<a href="${address}">Try it`);
    },
  );

  test.each([429, 503])("lets no answer be tried that its parameters do not bring about: %i", (status) =>
    expect(htmlOf(`\`\`\`http\nGET /passes/a\n${ANSWERED} ${status}\n\`\`\``)).not.toContain("Try it"),
  );

  test.each(["`GET /elsewhere`", "`GET /passes/{partner_reference}` is one", "```http\nGET /elsewhere\n```"])(
    "lets nothing else be tried: %j",
    (shown) => expect(htmlOf(shown)).not.toContain("Try it"),
  );

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
    expect(html).toContain(
      '<div class="frame panel" role="group" tabindex="0" aria-label="Limits: cost, buckets"><table',
    );
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
