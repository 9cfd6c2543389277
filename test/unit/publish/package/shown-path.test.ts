import { expect, test } from "vitest";
import { shownPath } from "../../../../publish/package/shown-path.ts";

test.each([
  ["below the directory", "/app/node_modules/p/docs", "/app", "node_modules/p/docs"],
  ["above the directory", "/app/docs", "/app/src", "/app/docs"],
  ["beside the directory", "/application/docs", "/app", "/application/docs"],
  ["the directory itself", "/app", "/app", "/app"],
])("a path %s is shown as a person there types it", (_, path, directory, shown) => {
  expect(shownPath(path, directory)).toBe(shown);
});
