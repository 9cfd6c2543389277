import path from "node:path";
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import { importsOf } from "../support/fences.ts";
import { projectFiles, projectPath, projectText } from "../support/project.ts";

/** Where a use says more than a sentence: cursor, canonical text, segment, limiter, exact JSON. */
const SHOWN = [
  "lib/trades/cursor.ts",
  "lib/signature/canonical-request.ts",
  "lib/trades/pack-segment.ts",
  "lib/rate-limit/token-bucket.ts",
  "lib/json/exact-json.ts",
];

// The other examples of the client need a service.
const files = projectFiles(["lib/**/*.ts", "client/src/decimal.ts"]).filter((file) =>
  projectText(file).includes("@example"),
);

/** The code of each `@example` of a file, up to the docstring's next tag or its end. */
const examplesOf = (file: string): string[] =>
  [...projectText(file).matchAll(/^ \* @example\n((?: \* (?!@).*\n)+)/gm)].map(([, code = ""]) =>
    code.replace(/^ \* /gm, ""),
  );

/** All that a file exports, and the files of its own room that it imports. */
async function namesFor(file: string): Promise<Record<string, unknown>> {
  const besides = importsOf(file, projectText(file)).filter(
    (imported) => path.posix.dirname(imported) === path.posix.dirname(file),
  );
  const modules = await Promise.all([...besides, file].map((each) => import(projectPath(each))));
  return Object.assign({}, ...modules);
}

/** Runs an example. @returns each of its lines `expression // → value` as what was got and what is told. */
function run(code: string, names: Record<string, unknown>): [got: unknown, told: unknown][] {
  const claims: [unknown, unknown][] = [];
  const claim = (got: unknown, told: unknown) => claims.push([got, told]);
  const checked = code.replace(/^(.+?) \/\/ → (.+)$/gm, "claim($1, $2);");
  compileFunction(checked, ["claim", ...Object.keys(names)])(claim, ...Object.values(names));
  return claims;
}

test.each(files)("the examples of %s are true", async (file) => {
  const names = await namesFor(file);
  for (const example of examplesOf(file)) {
    const claims = run(example, names);
    expect(claims).not.toEqual([]);
    for (const [got, told] of claims) expect(got).toEqual(told);
  }
});

test("each of the parts that are best shown has an example", () => {
  expect(SHOWN.filter((file) => examplesOf(file).length === 0)).toEqual([]);
});

test("every @example is found where it stands", () => {
  for (const file of files)
    expect(examplesOf(file)).toHaveLength(projectText(file).split("@example").length - 1);
});
