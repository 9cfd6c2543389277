import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startCommand } from "../../bench/support/start-command.ts";
import { codeIn } from "../support/markdown.ts";
import { requestOf } from "../support/printed-curl.ts";
import { applyChange, copyProject, runIn } from "../support/project-copy.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { scratchEndpoint, scratchSteps } from "../support/scratch-endpoint.ts";

const root = path.resolve(import.meta.dirname, "../..");
const { name, domain, limit, burst } = scratchEndpoint;

/** Places for settings and headers of an endpoint's own, of which the scratch endpoint has none. */
const NOT_NEEDED: ReadonlySet<string> = new Set([
  "infra/stage.ts",
  "infra/environment.ts",
  "test/support/rehearsal/settings.ts",
  "infra/cors-headers.ts",
]);

/** Ends a tool that hangs: it works on the whole project, and beside other tests that takes a while. */
const TOOL_MS_MAX = 180_000;

/** Tests that hold the places of an endpoint: route and environment, documents, demo. */
const HOLDERS = [
  "test/infra/drift.test.ts",
  "test/infra/identities.test.ts",
  "test/integration/data-model.test.ts",
  "test/integration/last-release.test.ts",
  "test/unit/documents.test.ts",
  "test/unit/local/demo/curl-lines.test.ts",
  "test/unit/metrics.test.ts",
  "test/unit/publish/reference/reference.test.ts",
];

/** Those that hold its grants, its calls and its size, and which of them are about it. */
const BUNDLES = ["test/infra/bundles.test.ts", "--testNamePattern", `${name}|no token`];

/** The recipe's steps, by number. */
function readRecipe(): ReadonlyMap<string, string> {
  const contributing = readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8");
  const [, recipe = ""] = /^## Add an endpoint\n(.*?)^## /ms.exec(contributing) ?? [];
  return new Map(
    [...recipe.matchAll(/^(\d+)\. (.*(?:\n {3}.*)*)/gm)].map(([, at = "", step = ""]) => [at, step]),
  );
}

/** The files and folders that a step names, in the scratch endpoint's words. */
const placesIn = (step: string): string[] =>
  codeIn(step)
    .map((code) => code.replace("<domain>", domain).replace("<endpoint>", name))
    .filter((code) => /^[\w./-]+(?:\.(?:ts|md|json)|\/)$/.test(code) && !NOT_NEEDED.has(code));

/** A file's name alone is one of the domain's. */
const isOf = (place: string, file: string): boolean =>
  place.endsWith("/") ? file.startsWith(place) : file === place || file === `lib/${domain}/${place}`;

const recipe = readRecipe();

test("the recipe has the steps that are followed here", () => {
  expect([...recipe.keys()]).toEqual(Object.keys(scratchSteps));
});

test.each(Object.entries(scratchSteps))(
  "step %s changes the places that it names, and no other",
  (at, changes) => {
    const places = placesIn(recipe.get(at) ?? "");
    const files = changes.map(({ file }) => file);
    expect(files.filter((file) => !places.some((place) => isOf(place, file)))).toEqual([]);
    expect(places.filter((place) => !files.some((file) => isOf(place, file)))).toEqual([]);
  },
);

describe("an endpoint that is added by the recipe", () => {
  let copy: string;
  beforeAll(async () => {
    copy = copyProject();
    for (const change of Object.values(scratchSteps).flat()) applyChange(copy, change);
    await runIn(copy, "node", "publish/reference/write-reference.ts");
  });

  test("type-checks with all of the project", () => runIn(copy, "tsc", "--singleThreaded"), TOOL_MS_MAX);

  test(
    "passes the tests that hold an endpoint's places",
    async () => {
      await runIn(copy, "vitest", "run", "--no-isolate", "--maxWorkers=1", ...HOLDERS);
      await runIn(copy, "vitest", "run", ...BUNDLES);
    },
    TOOL_MS_MAX,
  );

  test("is served by npm start, with its demo record, and charges its own limit", async () => {
    const data = path.join(scratchDirectory(), "data");
    const service = await startCommand(["--port", "0", "--no-page", "--data", data], {}, copy);
    try {
      const line = service.announced[service.announced.indexOf(`  # ${name}`) + 1] ?? "";
      const answers: Response[] = [];
      for (let count = 0; count <= burst; count++) answers.push(await fetch(requestOf(line)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(await answers[0]?.json()).toEqual({ id: "refund-1" });
      expect(
        answers.map(({ headers }) => /^"(\w+)";r=(\d)/.exec(headers.get("RateLimit") ?? "")?.slice(1)),
      ).toEqual(["2", "1", "0", "0"].map((left) => [limit, left]));
    } finally {
      await service.stop();
    }
  });
});
