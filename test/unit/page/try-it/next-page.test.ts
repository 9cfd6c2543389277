import { expect, test } from "vitest";
import { pageAfter } from "../../../../page/src/try-it/next-page.ts";

const url = new URL("http://127.0.0.1:3000/transactions?count=2");
const after = (text: string, link?: string) =>
  pageAfter(url, { text, headers: new Headers({ ...(link !== undefined && { Link: link }) }) })?.search;

test("the page after an answer is that of its link, or else of the cursor in its body", () => {
  expect(after("[]", '<?cursor=a>; rel="next"')).toBe("?cursor=a");
  expect(after('{"metadata":{"next_cursor":"b"}}')).toBe("?count=2&cursor=b");
  expect(after('{"metadata":{}}')).toBeUndefined();
});

test.each(["<http://[>; rel=next", "<?cursor=a", "nothing"])(
  "there is none by a link that cannot be read: %s",
  (link) => {
    expect(after("[]", link)).toBeUndefined();
  },
);
