import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { CloudAssembly } from "aws-cdk-lib/cx-api";
import { AwsSolutionsChecks, NIST80053R5Checks, PCIDSS321Checks } from "cdk-nag";
import { afterAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { featureFlags } from "../../infra/feature-flags.ts";
import { findReplacements } from "../../infra/replacements/find-replacements.ts";
import { partitionOf } from "../../infra/settings/partition.ts";
import { addStacks } from "../../infra/stacks/add-stacks.ts";
import type { Stage } from "../../infra/stage.ts";
import { LOCAL_REGION } from "../../local/store/local-account.ts";
import { readApplication } from "../../local/template/template.ts";
import { codeIn, sectionsOf } from "../support/markdown.ts";
import { projectText } from "../support/project.ts";
import { findSpecBreaches } from "../support/service-spec.ts";
import { FUNCTION_COUNT, readSynthesis, resourcesOf, type Synthesis, sorted } from "../support/synthesize.ts";
import { everySetting, judgedStages, numbers, threeStages } from "../support/three-stages.ts";

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly violations: readonly { readonly ruleName: string }[];
  }[];
}

interface Judged {
  readonly synthesis: Synthesis;
  /** The rules that the templates break, by the pack that they belong to. */
  readonly broken: ReadonlyMap<string, readonly string[]>;
}

/** The templates of a stage as `cdk synth` makes them, and what the packs of rules say of them. The caller removes the directory. */
function judge(stage: Stage): Judged {
  const outdir = mkdtempSync(path.join(tmpdir(), "countinghouse-rules-"));
  const context = { ...featureFlags, "aws:cdk:bundling-stacks": [] };
  const app = new App({ context, outdir, analyticsReporting: false, builtinCloudFormationValidation: false });
  addStacks(app, stage);
  Validations.of(app).addPlugins(
    new AwsSolutionsChecks(app),
    new NIST80053R5Checks(app),
    new PCIDSS321Checks(app),
  );
  // A pack that finds something makes the synthesis fail, after templates and report are written.
  expect(() => app.synth()).toThrow("validation-report.json");
  const report = JSON.parse(readFileSync(path.join(outdir, "validation-report.json"), "utf8")) as Report;
  const broken = report.pluginReports.map(
    ({ pluginName, violations }) => [pluginName, sorted(violations.map(({ ruleName }) => ruleName))] as const,
  );
  return { synthesis: readSynthesis(new CloudAssembly(outdir), stage), broken: new Map(broken) };
}

/** What knows no resources, and changes nothing that is stored. */
const SIGHT =
  /^(?:xray:|cloudwatch:(?:Describe|Get|List)|logs:(?:DescribeQueryDefinitions|GetQueryResults)$|codedeploy:List|scheduler:List|lambda:(?:List|GetAccountSettings$))/;
/** Actions on resources whose names CloudFormation, API Gateway, a restoration or an upload ends. */
const PATTERNED_ACTIONS = [
  "apigateway:GET",
  "apigateway:PATCH",
  "cloudformation:DescribeStacks",
  "codedeploy:StopDeployment",
  "dynamodb:DescribeContinuousBackups",
  "dynamodb:DescribeContributorInsights",
  "dynamodb:DescribeTable",
  "dynamodb:DescribeTimeToLive",
  "dynamodb:ListTagsOfResource",
  "dynamodb:UpdateContributorInsights",
  "lambda:UpdateEventSourceMapping",
  "logs:FilterLogEvents",
  "logs:StartQuery",
  "s3:GetObject",
  "s3:GetObjectVersion",
  "sns:ListSubscriptionsByTopic",
];
/** A table's restored copies, and their indexes. */
const COPIES = /:table\/countinghouse-test-[A-Z][A-Za-z]+-r\*(?:\/index\/[a-z-]+)?"/;
/** The beginning of a name, tags, or the one function of a mapping. */
const NAMES_THE_STAGE = expect.toSatisfy((named: unknown) =>
  typeof named === "string"
    ? /(?:countinghouse-test-(?:api|alarms)-|countinghouse-test-[A-Z][A-Za-z]+|countinghouse-test-[a-z]+\/|countinghouse-test-truststore-[\w-]+\/|\/countinghouse\/test\/access-)\*/.test(
        named,
      )
    : JSON.stringify(named) ===
        '{"StringEquals":{"aws:ResourceTag/project":"countinghouse","aws:ResourceTag/stage":"test"}}' ||
      /^\{"ArnEquals":\{"lambda:FunctionArn":.*countinghouse-test-ingest-records/.test(JSON.stringify(named)),
);

const judged = Object.entries(judgedStages).map(([name, stage]) => [name, stage, judge(stage)] as const);
afterAll(() => {
  for (const [, , { synthesis }] of judged) rmSync(synthesis.directory, { recursive: true });
});

describe.each(judged)("%s", (_, stage, { synthesis, broken }) => {
  const { data, domains, api, alarms, operators } = synthesis;

  test("follows the CloudFormation specification", () => {
    expect([data, domains, api, alarms, operators].flatMap(findSpecBreaches)).toEqual([]);
  });

  test("breaks no rule of AWS Solutions", () => {
    expect(broken.get("AwsSolutions")).toEqual([]);
  });

  test("protects its stacks and every lasting table, or nothing at all", () => {
    const isKept = !stage.disposable;
    expect(new Set(Object.values(synthesis.terminationProtection))).toEqual(new Set([isKept]));
    for (const { Properties, DeletionPolicy } of resourcesOf(data, "AWS::DynamoDB::GlobalTable")) {
      const isLasting = !Properties.TableName.endsWith("-RateLimits");
      expect([
        Properties.TableName,
        Properties.Replicas[0].DeletionProtectionEnabled,
        DeletionPolicy,
      ]).toEqual([
        Properties.TableName,
        isKept && isLasting,
        isKept && isLasting ? "RetainExceptOnCreate" : "Delete",
      ]);
    }
  });

  test("keeps Lambda's own lines of each endpoint from the level that it says", () => {
    const levels = resourcesOf(api, "AWS::Lambda::Function")
      .filter(({ Properties }) =>
        endpoints.some(({ contract }) => Properties.FunctionName.endsWith(contract.name)),
      )
      .map(({ Properties }) => Properties.LoggingConfig.SystemLogLevel);
    expect(levels).toEqual(endpoints.map(() => stage.functions.systemLogLevel));
  });

  test("grants no function and no operator a wildcard, but X-Ray's, the sight of metrics, lists, the account's settings, restored copies of tables, and names with the stage's beginning or tags", () => {
    const policies = [
      ...resourcesOf(api, "AWS::IAM::Policy"),
      ...resourcesOf(operators, "AWS::IAM::ManagedPolicy"),
    ];
    expect(policies.length).toBeGreaterThan(endpoints.length);
    for (const { Properties } of policies)
      for (const statement of Properties.PolicyDocument.Statement) {
        expect(statement.Effect).toBe("Allow");
        const actions: readonly string[] = [statement.Action].flat();
        expect(JSON.stringify(actions)).not.toContain("*");
        const patterns = [statement.Resource]
          .flat()
          .map((resource) => JSON.stringify(resource))
          .filter((resource) => resource.includes("*") && !COPIES.test(resource));
        if (patterns.length === 0 || actions.every((action) => SIGHT.test(action))) continue;
        expect(PATTERNED_ACTIONS).toEqual(expect.arrayContaining([...actions]));
        for (const pattern of patterns) expect(statement.Condition ?? pattern).toEqual(NAMES_THE_STAGE);
      }
  });
});

test.each(judged.filter(([, { region = LOCAL_REGION }]) => region === LOCAL_REGION))(
  "%s is a template that npm start can serve, with every route, function and table",
  (_, stage, { synthesis }) => {
    const application = readApplication(synthesis.directory);
    expect(sorted(application.routes.map(({ routeKey }) => routeKey))).toEqual(
      sorted(endpoints.map(({ contract }) => `${contract.method} ${contract.route}`)),
    );
    expect(application.functions).toHaveLength(FUNCTION_COUNT + (stage.ingest === undefined ? 0 : 1));
    const served = application.tables.map((table) => table.name);
    expect(served).toEqual(expect.arrayContaining(Object.values(stage.tables)));
    for (const { permissions, environment } of application.functions) {
      const permitted = JSON.stringify(permissions.statements);
      for (const [variable, value] of Object.entries(environment))
        if (variable.endsWith("_TABLE"))
          expect(permitted).toContain(`:table/${value.replace(/-r\d+$/, "-r*")}"`);
    }
  },
);

test("a template names no partition but that of its stage", () => {
  for (const [, { region = LOCAL_REGION }, { synthesis }] of judged) {
    const { data, domains, api, alarms, operators } = synthesis;
    const named = JSON.stringify([data, domains, api, alarms, operators]).match(/(?<=arn:)aws[a-z-]*(?=:)/g);
    expect(new Set(named ?? [partitionOf(region)])).toEqual(new Set([partitionOf(region)]));
  }
});

test("settings can be taken away from a stage, and nothing that lasts is replaced or deleted", () => {
  const [before, after] = [
    "a stage with every setting",
    "a stage that had every setting, and keeps what cannot be taken away",
  ].map((wanted) => judged.find(([name]) => name === wanted)?.[2].synthesis);
  for (const part of ["data", "domains", "api", "alarms", "operators"] as const)
    expect(findReplacements(before?.[part] ?? {}, after?.[part] ?? {})).toEqual([]);
});

test("every setting that a stage may have is used by one of these stages", () => {
  const { business: _business, passes: _passes, name: _name, ...optional } = threeStages["a plain stage"];
  const used = { disposable: true, ...everySetting, ...numbers };
  expect(Object.keys(optional).filter((setting) => !(setting in used))).toEqual([]);
});

test("docs/operations.md has a row for every setting", () => {
  const page = projectText("docs/operations.md");
  const rows = sectionsOf(page).flatMap((section) => section.tables.flat());
  const told = new Set(rows.flatMap(({ setting }) => codeIn(setting)).map((name) => name.split(".")[0]));
  const settings = new Set([...Object.keys(threeStages["a plain stage"]), ...Object.keys(everySetting)]);
  expect([...settings].filter((setting) => !told.has(setting))).toEqual([]);
  expect([...told].filter((setting) => !settings.has(setting ?? ""))).toEqual([]);
});

test("docs/deployment.md answers every rule of NIST and PCI that one of them breaks, and no other", () => {
  const broke = (pack: string) =>
    judged.flatMap(([, , { broken }]) => broken.get(pack) ?? []).map((rule) => rule.replace(`${pack}-`, ""));
  const [nist, pci] = [broke("NIST.800.53.R5"), broke("PCI.DSS.321")];
  const page = projectText("docs/deployment.md");
  const rows = sectionsOf(page)
    .flatMap((section) => section.tables.flat())
    .filter(({ rule }) => rule !== undefined);
  const told = rows.map(({ rule, of }) => `${codeIn(rule)[0]} of ${of}`);
  const packsOf = (rule: string) => [
    ...(nist.includes(rule) ? ["NIST"] : []),
    ...(pci.includes(rule) ? ["PCI"] : []),
  ];
  const found = [...new Set([...nist, ...pci])].map((rule) => `${rule} of ${packsOf(rule).join(", ")}`);
  expect(sorted(told)).toEqual(sorted(found));
  for (const { answer } of rows) expect(answer).not.toBe("");
});
