import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startCommand } from "../../bench/support/start-command.ts";
import { codeIn } from "../support/markdown.ts";
import { requestOf } from "../support/printed-curl.ts";
import { projectRoot, projectText } from "../support/project.ts";
import { applyChange, copyProject, runIn } from "../support/project-copy.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { scratchEndpoint, scratchSteps } from "../support/scratch-endpoint.ts";

const { name, domain, limit, burst } = scratchEndpoint;

/** Ends a tool that hangs: it works on the whole project, and beside other tests that takes a while. */
const TOOL_MS_MAX = 180_000;

/** Tests that hold the places of an endpoint: route and environment, documents, demo. */
const HOLDERS = [
  "test/infra/drift.test.ts",
  "test/integration/data-model.test.ts",
  "test/unit/documents.test.ts",
  "test/unit/local/endpoints/curl-lines.test.ts",
  "test/unit/metrics.test.ts",
  "test/unit/publish/reference/reference.test.ts",
];

/** What the recipe records: of the bundles, those of the endpoint. They hold its grants, its calls and its size, too. */
const RECORDED = ["test/infra/identities.test.ts", "test/integration/last-release.test.ts"];
const BUNDLES = ["test/infra/bundles.test.ts", "--testNamePattern", `${name}|no token`];

/** The recipe's steps, by number. */
function readRecipe(): ReadonlyMap<string, string> {
  const contributing = projectText("CONTRIBUTING.md");
  const [, recipe = ""] = /^## Add an endpoint\n(.*?)^## /ms.exec(contributing) ?? [];
  return new Map(
    [...recipe.matchAll(/^(\d+)\. (.*(?:\n {3}.*)*)/gm)].map(([, at = "", step = ""]) => [at, step]),
  );
}

/** The files and folders that a step names, in the scratch endpoint's words. */
const placesIn = (step: string): string[] =>
  codeIn(step)
    .map((code) => code.replace("<domain>", domain).replace("<endpoint>", name))
    .filter((code) => /^[\w./-]+(?:\.(?:ts|md|json)|\/)$/.test(code));

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
    // The answers, of which there is none yet, are what a service answers.
    writeFileSync(path.join(copy, `publish/reference/examples/${name}.json`), "[]\n");
    await runIn(copy, "node", "publish/reference/reference-files.ts");
  });

  test("type-checks with all of the project", () => runIn(copy, "tsc", "--singleThreaded"), TOOL_MS_MAX);

  test(
    "passes the tests that hold an endpoint's places, and records itself alone",
    async () => {
      const run = ["run", "--maxWorkers=1"];
      await runIn(copy, "vitest", ...run, "--update=all", ...BUNDLES);
      // Those that hold places have no record to update.
      await runIn(copy, "vitest", ...run, "--update=all", ...RECORDED, ...HOLDERS);
      const recorded = (file: string, at = copy) => JSON.parse(readFileSync(path.join(at, file), "utf8"));
      const identities = "test/infra/recorded/identities.json";
      expect(recorded(identities)).toEqual({
        ...recorded(identities, projectRoot),
        RefundsTable71C1139D: "countinghouse-test-Refunds: partner_id S, refund_id S",
        ApiGETrefundsrefundidFC699F2A: "GET /refunds/{refund_id}",
      });
      expect(recorded(`test/infra/recorded/${name}.json`).calls).toEqual([
        "UpdateItem on table/countinghouse-test-RateLimits",
        "GetItem on table/countinghouse-test-Refunds, strongly",
      ]);
      expect(recorded("test/integration/last-release/Refunds.json")).toHaveLength(1);
    },
    TOOL_MS_MAX,
  );

  test("is served by npm start, with its demo record, and charges its own limit", async () => {
    const data = path.join(scratchDirectory(), "data");
    const service = await startCommand(["--port", "0", "--no-page", "--data", data], {}, copy);
    try {
      const printed = await runIn(copy, "node", "ops/main.ts", "demo", "curl", "--data", data);
      const [, line = ""] = printed.split(`# ${name}\n`);
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
