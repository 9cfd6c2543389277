import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { checkContext } from "../../infra/context.ts";
import { stageFileOf } from "../../infra/stage.ts";
import { contractBrand } from "../../lib/brand.ts";
import { localStageSettings } from "../../local/template/local-stage.ts";
import { type Application, readApplication } from "../../local/template/template.ts";
import { projectRoot } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { FUNCTION_COUNT } from "../support/synthesize.ts";

const directory = scratchDirectory();
const outdir = path.join(directory, "out");

/** Runs the app by itself, without rule checks. */
const runApp = (
  stageFile: string | undefined,
  context: object = {},
  environment: Readonly<Record<string, string>> = {},
) =>
  spawnSync(process.execPath, ["infra/app.ts"], {
    cwd: projectRoot,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      ...(stageFile !== undefined && { STAGE_FILE: stageFile }),
      CDK_OUTDIR: outdir,
      CDK_VALIDATION: "false",
      // As for `npm start`: compiled code is kept.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      // The CDK's command line passes the context of -c and of its files on in this variable.
      CDK_CONTEXT_JSON: JSON.stringify(context),
      ...environment,
    },
  });

test("the app synthesizes a stage file without the CDK's command line", () => {
  const stageFile = path.join(directory, "mine.json");
  const example: object = JSON.parse(readFileSync(stageFileOf(undefined, "example"), "utf8"));
  writeFileSync(stageFile, JSON.stringify({ ...example, name: "mine" }));
  const { status, stdout } = runApp(stageFile);
  expect(status).toBe(0);
  expect(stdout).toBe("");
  const files = readdirSync(outdir);
  expect(files).toEqual(
    expect.arrayContaining(["countinghouse-mine-data.template.json", "countinghouse-mine-api.template.json"]),
  );
  expect(files.some((file) => file.includes("validation-report"))).toBe(false);
});

describe("for serving, as npm start runs it, the app", () => {
  const stageFile = path.join(directory, "local.json");
  const settings = { brand: contractBrand, corsOrigins: ["https://a.example"], stockSdk: false };
  writeFileSync(stageFile, JSON.stringify(localStageSettings(settings)));
  const [whole, served] = [path.join(directory, "whole"), path.join(directory, "served")];
  beforeAll(() => {
    expect(runApp(stageFile, {}, { CDK_OUTDIR: whole }).status).toBe(0);
    expect(runApp(stageFile, {}, { CDK_OUTDIR: served, SYNTH_FOR: "serving" }).status).toBe(0);
  });
  const templatesIn = (folder: string): string[] =>
    readdirSync(folder).filter((file) => file.endsWith(".template.json"));

  test("leaves out the stacks that look after a deployment, and nothing else", () => {
    expect(templatesIn(served)).toEqual([
      "countinghouse-local-api.template.json",
      "countinghouse-local-data.template.json",
    ]);
    expect(templatesIn(whole).sort()).toEqual([
      "countinghouse-local-alarms.template.json",
      "countinghouse-local-api.template.json",
      "countinghouse-local-data.template.json",
      "countinghouse-local-operators.template.json",
    ]);
  });

  test("writes the templates of the others, and every bundle, to the byte as for a deployment", () => {
    const bundles = readdirSync(served, { recursive: true, encoding: "utf8" }).filter((file) =>
      /^asset\..*\.mjs/.test(file),
    );
    expect(bundles.length).toBeGreaterThan(2 * FUNCTION_COUNT);
    for (const file of [...templatesIn(served), ...bundles])
      expect(readFileSync(path.join(served, file)).equals(readFileSync(path.join(whole, file))), file).toBe(
        true,
      );
  });

  test("makes of them the application that a whole deployment would have", () => {
    // Each assembly has its bundles in a folder of its own.
    const without = ({ functions }: Application) =>
      functions.map(({ codePath, ...rest }) => [path.basename(codePath), rest]);
    const [one, other] = [readApplication(served), readApplication(whole)];
    expect({ ...one, functions: without(one) }).toEqual({ ...other, functions: without(other) });
  });
});

test("an unusable stage is refused with one clear message, without a stack trace", () => {
  const { status, stderr } = runApp(path.join(directory, "missing.json"));
  expect(status).toBe(1);
  expect(stderr).toContain("missing.json cannot be read");
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a command that names no stage is refused with one sentence, and synthesizes nothing", () => {
  const { status, stderr } = runApp(undefined);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^No stage is named\. .*\n$/)]);
});

describe("a setting of the context", () => {
  test("that does not exist ends the app with one sentence, which names it", () => {
    const { status, stderr } = runApp(path.join(directory, "missing.json"), {
      stge: "prod",
      "@aws-cdk/core:target-partitions": ["aws"],
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^stge: there is no such setting\. The only one is stage, as in -c stage=prod;.*\n$/,
      ),
    ]);
  });

  test.each(["stge", "Stage", "stages", "stage ", "STAGE", "name", "region"])(
    "that does not exist is refused: %j",
    (key) => {
      const context = { [key]: "prod", "@aws-cdk/core:target-partitions": ["aws"] };
      const begin = `${key}: there is no such setting. `;
      const refusal = expect.objectContaining({ message: expect.stringContaining(begin) });
      expect(() => checkContext(context)).toThrow(refusal);
    },
  );

  test("is accepted when it is the CDK's own or a cached lookup", () => {
    checkContext({
      stage: "prod",
      "@aws-cdk/aws-lambda:recognizeVersionProps": true,
      "@aws-cdk-containers/ecs-service-extensions:enableDefaultLogDriver": true,
      "aws:cdk:enable-path-metadata": true,
      "aws-cdk:enableDiffNoFail": "true",
      "availability-zones:account=123456789012:region=eu-central-1": ["eu-central-1a"],
      "hosted-zone:account=1:domainName=example.com:region=x": {},
      "cli-telemetry": false,
      "acknowledged-issue-numbers": [1],
    });
  });
});
