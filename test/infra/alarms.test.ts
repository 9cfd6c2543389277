import { describe, expect, test } from "vitest";
import { accessLogMetrics } from "../../infra/alarms/access-log-metrics.ts";
import { endpoints } from "../../infra/endpoints.ts";
import { upkeepSchedules } from "../../infra/upkeep.ts";
import { type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { METRIC_NAMESPACE, metricDimensions, metricUnits } from "../../lib/metrics.ts";
import { ownMember } from "../../lib/own-member.ts";
import { metricsOf, periodMsOf } from "../support/cloudwatch/alarm-state.ts";
import type { MetricKey } from "../support/cloudwatch/metric-data.ts";
import { childrenOf, suppressorOf, tellsPages } from "../support/cloudwatch/paged.ts";
import { codeIn, sectionsOf } from "../support/markdown.ts";
import { projectFiles, projectText } from "../support/project.ts";
import {
  resourcesOf,
  sorted,
  synthesize,
  type Template,
  type TemplateResource,
  testStage,
  textOf,
} from "../support/synthesize.ts";
import { everySetting, threeStages } from "../support/three-stages.ts";

const everything = synthesize(threeStages["a stage with every setting"]);
const plain = synthesize(testStage());
const alarmsIn = (template: Template) => resourcesOf(template, "AWS::CloudWatch::Alarm");
const compositesIn = (template: Template) => resourcesOf(template, "AWS::CloudWatch::CompositeAlarm");
const alarms = alarmsIn(everything.alarms);
const joined = compositesIn(everything.alarms);
const isJoined = new Set(joined.flatMap(childrenOf));

const nameOf = ({ Properties }: TemplateResource): string =>
  Properties.AlarmName.replace("countinghouse-test-", "");
const namesIn = (template: Template): string[] => alarmsIn(template).map(nameOf);

/** The heading of the runbook that an alarm's description links to. */
const sectionOf = ({ Properties }: TemplateResource): string =>
  /runbook\.md#([a-z-]+)$/.exec(Properties.AlarmDescription)?.[1] ?? "";

/** Alarms that ring without data. */
const silenceIsFault = /-uncalled-report-expiry$/;

describe("every alarm", () => {
  test("has a name of its own, which begins with the stage's prefix", () => {
    const names = [...alarms, ...compositesIn(everything.alarms)].map(
      ({ Properties }) => Properties.AlarmName,
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^countinghouse-test-[A-Za-z-]{4,200}$/);
  });

  test("is there for each command of the documents that names one", () => {
    const there = [...alarms, ...joined].map(nameOf);
    const named = projectFiles(["docs/*.md", "ops/doctor/stage/open-claims.ts"]).flatMap((file) =>
      Array.from(
        projectText(file).matchAll(/--alarm-names? "?countinghouse-(?:<name>|\$\w+)-([\w-]+)/g),
        ([, name]) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name = "") => !there.includes(name))).toEqual([]);
  });

  test("does not ring without data unless silence is its fault, and tells its topics when it begins and when it ends", () => {
    for (const { Properties } of alarms) {
      expect(Properties.TreatMissingData === "breaching").toBe(silenceIsFault.test(Properties.AlarmName));
      expect(Properties.AlarmActions).toEqual(Properties.OKActions);
      expect(textOf(Properties.AlarmActions[0])).toMatch(/^\$\{TopicsNotices/);
    }
  });

  test("keeps the limits of CloudWatch: ten metrics, and a day of periods", () => {
    for (const { Properties, ...alarm } of alarms) {
      const queries = Properties.Metrics ?? [];
      expect(metricsOf({ ...alarm, Properties }).length).toBeLessThanOrEqual(10);
      const periodS = Properties.Period ?? queries[0].MetricStat.Period;
      expect(Properties.EvaluationPeriods * periodS).toBeLessThanOrEqual(86_400);
      expect(Properties.DatapointsToAlarm).toBeLessThanOrEqual(Properties.EvaluationPeriods);
    }
  });

  test("links its section of the runbook, where people read it", () => {
    for (const { Properties } of [...alarms, ...compositesIn(everything.alarms)])
      expect(Properties.AlarmDescription).toMatch(
        /^\S.+\. What to do: https:\/\/git\.test\.example\/countinghouse\/docs\/runbook\.md#[a-z-]+$/,
      );
    for (const { Properties } of alarmsIn(plain.alarms))
      expect(Properties.AlarmDescription).toMatch(/\. What to do: docs\/runbook\.md#[a-z-]+$/);
  });
});

test("docs/runbook.md has a section for each kind of alarm, and no other", () => {
  const titles = sectionsOf(projectText("docs/runbook.md")).map(({ title }) => title);
  const anchors = titles.map((title) => title.toLowerCase().replaceAll(" ", "-"));
  const sections = new Set([...alarms, ...compositesIn(everything.alarms)].map(sectionOf));
  expect(sorted(anchors)).toEqual(sorted([...sections]));
  const parts = projectText("docs/runbook.md").split(/^## /m).slice(1);
  // The description of an alarm says what it means, and docs/operations.md when it begins and ends.
  for (const part of parts) expect(part).toMatch(/\n\*\*Callers see\*\* .*?\n1\. /s);
});

describe("nothing that may fail is without an alarm:", () => {
  const names = namesIn(plain.alarms);

  test("every endpoint has those of answers, function, limit, credentials and switch", () => {
    for (const { contract, tokens, tables: uses } of endpoints) {
      const kinds = [
        "failures",
        "crash",
        "gateway",
        "latency",
        "throttled",
        "limiter",
        "unauthorized",
        "switched-off",
      ];
      if (tokens !== undefined) kinds.push("issuer");
      if (uses.some(({ table }) => table === "Trades")) kinds.push("damaged");
      const own = names.filter((name) => name.endsWith(`-${contract.name}`));
      expect(sorted(own)).toEqual(sorted(kinds.map((kind) => `${kind}-${contract.name}`)));
    }
  });

  test("every table and every index has one for reads and one for writes", () => {
    const parts = Object.entries(tables).flatMap(([table, { indexes }]: [string, TableSchema]) => [
      table,
      ...indexes.map(({ name }) => `${table}-${name}`),
    ]);
    const expected = parts.flatMap((part) => [`throttled-reads-${part}`, `throttled-writes-${part}`]);
    expect(names.filter((name) => /^throttled-(?:reads|writes)-/.test(name)).sort()).toEqual(
      sorted(expected),
    );
  });

  test("a table that stands in for another has that one's alarms", () => {
    const trades = alarms.filter((alarm) => nameOf(alarm).endsWith("-Trades"));
    expect(trades).toHaveLength(2);
    for (const alarm of trades)
      expect(metricsOf(alarm).map(({ dimensions }) => dimensions)).toEqual([
        { TableName: everySetting.tables.Trades },
      ]);
  });

  test("so have the gateway, a release, the account and whatever expires; a scheduled function too", () => {
    expect(names).toEqual(
      expect.arrayContaining([
        "gateway-unrouted",
        "release",
        "concurrency",
        "expiry-credential",
        "expiry-client-certificate",
        "crash-report-expiry",
        "issuer-report-expiry",
        "uncalled-report-expiry",
      ]),
    );
  });

  test("the queues of records have theirs, and a stage without them has none", () => {
    const about = (template: Template) => sorted(namesIn(template).filter((name) => name.includes("ingest")));
    expect(about(everything.alarms)).toEqual([
      "crash-ingest-records",
      "damaged-ingest-records",
      "ingest-dead",
      "ingest-late",
      "ingest-rejected",
    ]);
    expect(about(plain.alarms)).toEqual([]);
  });

  test("each certificate of a domain and its truststore have one, and a stage without them has none", () => {
    const about = (template: Template) =>
      sorted(namesIn(template).filter((name) => /^certificate-|^expiry-truststore/.test(name)));
    expect(about(everything.alarms)).toEqual([
      "certificate-mutual-tls",
      "certificate-open",
      "certificate-ownership",
      "expiry-truststore",
    ]);
    expect(about(plain.alarms)).toEqual([]);
  });
});

test("every period of a switch's alarm, and of the one for silence, has a report, and three are 15 minutes", () => {
  const ofSwitches = alarms.filter((alarm) => sectionOf(alarm) === "switched-off");
  expect(ofSwitches).toHaveLength(endpoints.length);
  const uncalled = alarms.filter((alarm) => sectionOf(alarm) === "uncalled");
  expect(uncalled).toHaveLength(1);
  for (const alarm of [...ofSwitches, ...uncalled]) {
    expect(periodMsOf(alarm)).toBeGreaterThan(upkeepSchedules.watch.everyMinutes * 60_000);
    expect(alarm.Properties.DatapointsToAlarm * periodMsOf(alarm)).toBe(900_000);
  }
});

describe("the topic for pages", () => {
  const sectionsThat = (holds: (alarm: (typeof alarms)[number]) => boolean): string[] =>
    sorted([...new Set(alarms.filter(holds).map(sectionOf))]);

  test("hears of what leaves callers without answers or with wrong ones, and of nothing else", () => {
    expect(sectionsThat((alarm) => tellsPages(alarm) && nameOf(alarm) !== "gateway-unrouted")).toEqual([
      "crash",
      "damaged",
      "failures",
      "ingest-dead",
    ]);
    expect(sectionsThat(({ id }) => isJoined.has(id))).toEqual(["gateway", "issuer"]);
    expect(alarms.filter((alarm) => tellsPages(alarm) && isJoined.has(alarm.id))).toEqual([]);
  });

  test("is the only one that alarms which join others tell, when they begin and when they end", () => {
    for (const { Properties } of joined) {
      expect(Properties.AlarmActions).toEqual(Properties.OKActions);
      expect(Properties.AlarmActions.map(textOf)).toEqual([expect.stringMatching(/^\$\{TopicsPages/)]);
    }
  });

  test("does not hear of the gateway while a crash explains it, which rings for as long", () => {
    const explained = joined.filter((alarm) => suppressorOf(alarm) !== undefined);
    expect(explained).toHaveLength(endpoints.length);
    const alarmOf = (id: string | undefined) => alarms.find((alarm) => alarm.id === id) as TemplateResource;
    for (const alarm of explained) {
      const [gateway, crash] = [alarmOf(childrenOf(alarm)[0]), alarmOf(suppressorOf(alarm))];
      expect([nameOf(gateway), nameOf(crash)]).toEqual([
        nameOf(alarm).replace("page-", ""),
        nameOf(alarm).replace("page-gateway", "crash"),
      ]);
      for (const member of ["Period", "EvaluationPeriods", "DatapointsToAlarm"])
        expect(gateway.Properties[member]).toBe(crash.Properties[member]);
      expect(alarm.Properties.ActionsSuppressorWaitPeriod).toBe(120);
      expect(alarm.Properties.ActionsSuppressorExtensionPeriod).toBe(120);
    }
  });
});

describe("the stack of alarms", () => {
  test("exports nothing and imports nothing, so that no stack waits for another one", () => {
    expect(
      Object.values(everything.alarms.Outputs ?? {}).filter(({ Export }) => Export !== undefined),
    ).toEqual([]);
    expect(JSON.stringify(everything.alarms).includes("Fn::ImportValue")).toBe(false);
  });

  test("is deployed after the API, and nothing is deployed after it", () => {
    const { dependencies } = everything;
    expect(dependencies["countinghouse-test-alarms"]).toContain("countinghouse-test-api");
    for (const names of Object.values(dependencies)) expect(names).not.toContain("countinghouse-test-alarms");
  });

  test("names the alarm that takes a release back, which one option of the CDK can watch", () => {
    const { RollbackAlarm } = everything.alarms.Outputs as Record<string, { readonly Value: unknown }>;
    const release = alarms.find((alarm) => nameOf(alarm) === "release");
    expect(textOf(RollbackAlarm?.Value)).toBe(`\${${release?.id}.Arn}`);
  });
});

test("operators who read everything or handle incidents see alarms and the dashboard, and nobody may change an alarm", () => {
  const policies = resourcesOf(everything.operators, "AWS::IAM::ManagedPolicy");
  const ofCloudWatch = policies.flatMap(({ id, Properties }) =>
    Properties.PolicyDocument.Statement.filter(({ Action }: { Action: string | string[] }) =>
      [Action].flat().some((action) => action.startsWith("cloudwatch:")),
    ).map((statement: { Action: string | string[] }): [string, typeof statement] => [
      id.slice(0, 7),
      statement,
    ]),
  );
  const all: readonly string[] = ofCloudWatch.flatMap(([, { Action }]) => [Action].flat());
  expect(all.filter((action) => !/^[a-z]+:(?:Describe|Get|List)/.test(action))).toEqual([
    "cloudwatch:PutAlarmMuteRule",
    "cloudwatch:DeleteAlarmMuteRule",
  ]);
  expect(new Set(ofCloudWatch.map(([job]) => job))).toEqual(new Set(["Inciden", "Reading", "Switche"]));
  expect(ofCloudWatch.filter(([job]) => job === "Reading")).toEqual([
    [
      "Reading",
      {
        Effect: "Allow",
        // The CDK joins what knows no resource.
        Action: [
          "cloudwatch:DescribeAlarmHistory",
          "cloudwatch:DescribeAlarms",
          "cloudwatch:GetMetricData",
          "cloudwatch:ListDashboards",
          "cloudwatch:ListMetrics",
          "lambda:GetAccountSettings",
        ],
        Resource: "*",
      },
    ],
    [
      "Reading",
      {
        Effect: "Allow",
        Action: "cloudwatch:GetDashboard",
        Resource: "arn:aws:cloudwatch::000000000000:dashboard/countinghouse-test",
      },
    ],
  ]);
});

test("operators who throw switches may mute the alarms that remind of them, and no alarm that pages", () => {
  const policy = resourcesOf(everything.operators, "AWS::IAM::ManagedPolicy").find(({ id }) =>
    id.startsWith("Switches"),
  );
  const statements = policy?.Properties.PolicyDocument.Statement.filter(
    ({ Action }: { Action: string | string[] }) => [Action].flat()[0]?.startsWith("cloudwatch:"),
  );
  const reminders = sorted(
    alarms
      .filter((alarm) => sectionOf(alarm) === "switched-off")
      .map(({ Properties }) => Properties.AlarmName),
  );
  expect(reminders).toHaveLength(endpoints.length);
  const arnOf = (type: string) => (name: string) =>
    `arn:aws:cloudwatch:${everySetting.region}:${everySetting.account}:${type}:${name}`;
  const rules = reminders.map(arnOf("alarm-mute-rule"));
  expect(statements).toEqual([
    {
      Effect: "Allow",
      Action: "cloudwatch:PutAlarmMuteRule",
      Resource: [...rules, ...reminders.map(arnOf("alarm"))],
    },
    { Effect: "Allow", Action: "cloudwatch:DeleteAlarmMuteRule", Resource: rules },
  ]);
});

test("docs/operations.md mutes for a drill what pages for an endpoint, and names only alarms that exist", () => {
  const [, kinds = ""] =
    /printf "countinghouse-\$stage-%s-get-pass," (.*)\)/.exec(projectText("docs/operations.md")) ?? [];
  const all = [...alarms, ...joined];
  for (const { contract } of endpoints) {
    const named = kinds.split(" ").map((kind) => `${kind}-${contract.name}`);
    const existing = all.map(nameOf);
    expect(named.filter((name) => !existing.includes(name))).toEqual([]);
    const paging = all.filter((alarm) => tellsPages(alarm) && nameOf(alarm).endsWith(`-${contract.name}`));
    const others = paging.map(nameOf).filter((name) => !named.includes(name));
    expect(others).toEqual(contract.name === "list-trades" ? ["damaged-list-trades"] : []);
  }
});

describe("the topics", () => {
  const topicsIn = (template: Template) => resourcesOf(template, "AWS::SNS::Topic");
  const keyPolicies = (template: Template) =>
    resourcesOf(template, "AWS::KMS::Key").map(({ Properties }) => Properties);

  test("are encrypted by the stage's own key, or else by one that alarms of this stage may use", () => {
    for (const { Properties } of topicsIn(everything.alarms))
      expect(Properties.KmsMasterKeyId).toBe(everySetting.encryption.keyArn);
    expect(keyPolicies(everything.alarms)).toEqual([]);
    const [key] = keyPolicies(plain.alarms);
    for (const { Properties } of topicsIn(plain.alarms))
      expect(textOf(Properties.KmsMasterKeyId)).toMatch(/^\$\{TopicsKey\w+\.Arn\}$/);
    expect(key?.EnableKeyRotation).toBe(true);
    expect(key?.KeyPolicy.Statement).toContainEqual({
      Effect: "Allow",
      Principal: { Service: "cloudwatch.amazonaws.com" },
      Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
      Resource: "*",
      Condition: fromThisStage,
    });
  });

  test("take messages over TLS alone, and from alarms of this stage alone", () => {
    const policies = resourcesOf(plain.alarms, "AWS::SNS::TopicPolicy");
    expect(policies).toHaveLength(2);
    for (const { Properties } of policies) {
      const [deny, allow, ...others] = Properties.PolicyDocument.Statement;
      expect(others).toEqual([]);
      expect(deny).toMatchObject({
        Effect: "Deny",
        Principal: "*",
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      });
      expect(allow).toMatchObject({
        Effect: "Allow",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Action: "sns:Publish",
        Condition: fromThisStage,
      });
    }
  });

  test("tell the addresses that the stage names, each of the right topic, and by default nobody", () => {
    const told = resourcesOf(everything.alarms, "AWS::SNS::Subscription").map(({ Properties }) => [
      Properties.Protocol,
      Properties.Endpoint,
      textOf(Properties.TopicArn).replace(/^\$\{Topics(Notices|Pages).*$/, "$1"),
    ]);
    expect(told).toEqual([
      ["email", "team@test.example", "Notices"],
      ["https", "https://pager.test.example/in", "Pages"],
    ]);
    expect(resourcesOf(plain.alarms, "AWS::SNS::Subscription")).toEqual([]);
  });
});

const fromThisStage = {
  StringEquals: { "aws:SourceAccount": "123456789012" },
  ArnLike: {
    "aws:SourceArn": "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:countinghouse-test-*",
  },
};

describe("an address of the setting `alarms`", () => {
  const given = (alarms: object) => testStage({ alarms }).alarms;

  test.each(["mailto:team@example.com", "https://events.example.com/in?key=a"])("may be %s", (address) => {
    expect(given({ notify: [address] }).notify).toEqual([address]);
    expect(given({ page: [address] }).page).toEqual([address]);
  });

  test.each([
    "team@example.com",
    "mailto:team",
    "mailto:team@example",
    "mailto:a b@example.com",
    "mailto:team@example.com?subject=x",
    "http://events.example.com/in",
    "sms:+4930123456",
    "https://",
    "",
  ])("may not be %j", (address) => {
    expect(() => given({ notify: [address] })).toThrow("alarms.notify.0: must be a URL such as mailto:");
  });

  test("is named once", () => {
    const address = "mailto:team@example.com";
    expect(() => given({ page: [address, address] })).toThrow("alarms.page: must not name an address twice");
    expect(given({ page: [address], notify: [address] }).page).toEqual([address]);
  });

  test("of the runbook is a page that can be opened from a message", () => {
    const runbook = "https://git.example.com/runbook.md";
    expect(given({ runbook }).runbook).toBe(runbook);
    for (const wrong of ["docs/runbook.md", "http://git.example.com/runbook.md", "https://"])
      expect(() => given({ runbook: wrong })).toThrow("alarms.runbook: must be an https URL");
  });
});

/** The dimensions with which AWS's own services report the metrics that are used here (their user guides). */
const AWS_METRICS: Readonly<Record<string, readonly string[]>> = {
  "AWS/CertificateManager DaysToExpiry": ["CertificateArn"],
  "AWS/DynamoDB ConsumedReadCapacityUnits": ["TableName", "TableName GlobalSecondaryIndexName"],
  "AWS/DynamoDB ConsumedWriteCapacityUnits": ["TableName", "TableName GlobalSecondaryIndexName"],
  "AWS/DynamoDB ReadThrottleEvents": ["TableName", "TableName GlobalSecondaryIndexName"],
  "AWS/DynamoDB WriteThrottleEvents": ["TableName", "TableName GlobalSecondaryIndexName"],
  "AWS/Lambda ClaimedAccountConcurrency": [""],
  "AWS/Lambda ConcurrentExecutions": [""],
  "AWS/Lambda Duration": ["FunctionName"],
  "AWS/Lambda Errors": ["FunctionName"],
  "AWS/Lambda Invocations": ["FunctionName"],
  "AWS/Lambda Throttles": ["FunctionName"],
  "AWS/SQS ApproximateAgeOfOldestMessage": ["QueueName"],
  "AWS/SQS ApproximateNumberOfMessagesVisible": ["QueueName"],
};

const routes = endpoints.map(({ contract: { method, route } }) => `${method} ${route}`);
/** Whether the access log has lines of this route; a line of none has `-` for it. */
const isRoute = (routeKey?: string): boolean => [...routes, "-", undefined].includes(routeKey);

/** Whether the code or AWS reports a metric with these dimensions. */
function isReported({ namespace, name, dimensions }: MetricKey): boolean {
  const set = Object.keys(dimensions).join(" ");
  if (namespace !== METRIC_NAMESPACE) return AWS_METRICS[`${namespace} ${name}`]?.includes(set) ?? false;
  const ofLog = ownMember(accessLogMetrics, name);
  if (ofLog !== undefined) return set === ofLog.dimensions.join(" ") && isRoute(dimensions.routeKey);
  const sets: string[] = Object.values(metricDimensions).map((names) => names.join(" "));
  return name in metricUnits && sets.includes(set) && dimensions.stage === "test";
}

test("every metric of an alarm is one that the code or AWS reports", () => {
  expect(alarms.flatMap(metricsOf).filter((metric) => !isReported(metric))).toEqual([]);
});

test("the access log is counted by members that its lines have, once for each metric of it", () => {
  const [stage] = resourcesOf(everything.api, "AWS::ApiGatewayV2::Stage");
  const { DestinationArn, Format } = stage?.Properties.AccessLogSettings ?? {};
  const members: object = JSON.parse(Format);
  expect(members).toMatchObject({
    stage: "test",
    routeKey: "$context.routeKey",
    status: "$context.status",
    functionStatus: "$context.integration.status",
  });
  const filters = resourcesOf(everything.api, "AWS::Logs::MetricFilter");
  expect(filters).toHaveLength(Object.keys(accessLogMetrics).length);
  for (const { Properties } of filters) {
    const [{ MetricName, MetricNamespace, MetricValue, Dimensions }] = Properties.MetricTransformations;
    expect(textOf(DestinationArn)).toBe(textOf(Properties.LogGroupName).replace("}", ".Arn}"));
    const { pattern, dimensions } = accessLogMetrics[MetricName as keyof typeof accessLogMetrics];
    expect([MetricNamespace, MetricValue, Properties.FilterPattern]).toEqual([
      METRIC_NAMESPACE,
      "1",
      pattern,
    ]);
    expect(Dimensions).toEqual(dimensions.map((name) => ({ Key: name, Value: `$.${name}` })));
    const named = [
      ...[pattern, ...Dimensions.map(({ Value }: { Value: string }) => Value)]
        .join(" ")
        .matchAll(/\$\.(\w+)/g),
    ].map(([, name]) => name ?? "");
    expect(named.filter((name) => !(name in members))).toEqual([]);
  }
});

describe("the dashboard", () => {
  interface Widget {
    readonly type: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    // biome-ignore lint/suspicious/noExplicitAny: the body is what the assertions are about
    readonly properties: any;
  }
  const [dashboard] = resourcesOf(everything.alarms, "AWS::CloudWatch::Dashboard");
  const { widgets } = JSON.parse(textOf(dashboard?.Properties.DashboardBody)) as {
    readonly widgets: readonly Widget[];
  };
  const graphs = widgets.filter(({ type }) => type === "metric");
  const rows: readonly unknown[][] = graphs.flatMap(({ properties }) => properties.metrics);

  test("is one for each stage, under the stage's name", () => {
    expect(resourcesOf(everything.alarms, "AWS::CloudWatch::Dashboard")).toHaveLength(1);
    expect(dashboard?.Properties.DashboardName).toBe("countinghouse-test");
  });

  test("shows only metrics that the code or AWS reports", () => {
    const metrics = rows
      .filter((row) => row.length > 1)
      .map(([namespace, name, ...rest]) => {
        const pairs = rest.slice(0, -1) as string[];
        const dimensions = Object.fromEntries(
          pairs.flatMap((key, n) => (n % 2 === 0 ? [[key, pairs[n + 1] ?? ""]] : [])),
        );
        return { namespace, name, dimensions } as MetricKey;
      });
    expect(metrics.length).toBeGreaterThan(50);
    expect(metrics.filter((metric) => !isReported(metric))).toEqual([]);
  });

  test("finds the codes, and the kinds of records, by the dimensions that lines with them have", () => {
    const found = rows.filter((row) => row.length === 1).map(([given]) => given as { expression: string });
    const searchFor = (name: string, set: keyof typeof metricDimensions) =>
      `SEARCH('{${METRIC_NAMESPACE},${metricDimensions[set].join(",")}} MetricName="${name}" stage="test"', 'Sum', 60)`;
    const outcomes = Object.keys(metricUnits).filter((name) => /^Records(?!Unusual)/.test(name));
    expect(outcomes).toHaveLength(5);
    expect(found.map(({ expression }) => expression)).toEqual([
      searchFor("Requests", "code"),
      ...outcomes.map((name) => searchFor(name, "kind")),
    ]);
  });

  test("has a line for every endpoint in each graph of callers, and for every table and index in each of the store", () => {
    const labelsOf = (title: string): string[] =>
      graphs
        .filter(({ properties }) => properties.title.startsWith(title))
        .flatMap(({ properties }) =>
          properties.metrics.map((row: unknown[]) => (row.at(-1) as { label: string }).label),
        );
    const names = endpoints.map(({ contract }) => contract.name);
    for (const title of ["Requests", "Failures, ", "Tokens", "Limits", "Cold starts"])
      expect(labelsOf(title)).toEqual(names);
    expect(labelsOf("Duration")).toEqual([...names, ...names]);
    const parts = Object.values(tables).reduce(
      (sum, { indexes }: TableSchema) => sum + 1 + indexes.length,
      0,
    );
    expect(["Units read", "Units written", "Throttled"].map((title) => labelsOf(title).length)).toEqual([
      parts,
      parts,
      2 * parts,
    ]);
  });

  test("shows the state of every alarm that pages, above graphs that do not lie on each other", () => {
    const [states, ...others] = widgets;
    const paging = alarms.filter((alarm) => tellsPages(alarm) || isJoined.has(alarm.id));
    expect(states?.properties.alarms.map(textOf)).toEqual(paging.map(({ id }) => `\${${id}.Arn}`));
    const cells = widgets.flatMap(({ x, y, width, height }) =>
      Array.from({ length: width * height }, (_, n) => `${x + (n % width)} ${y + Math.floor(n / width)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { x, width } of others) expect(x + width).toBeLessThanOrEqual(24);
    const titles = graphs.map(({ properties }) => properties.title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe("docs/operations.md has a table in which each kind of alarm", () => {
  const [table = []] =
    sectionsOf(projectText("docs/operations.md")).find(({ title }) => title === "Alarms")?.tables ?? [];
  const rows = new Map(table.flatMap((row) => codeIn(row.alarm).map((kind) => [kind, row] as const)));
  /** Alarms of one section are of one kind, if they page in the same way. */
  const kinds = Map.groupBy([...alarms, ...joined], (alarm) => {
    if (joined.includes(alarm)) return `page-${sectionOf(alarm)}`;
    return nameOf(alarm) === "gateway-unrouted" ? "gateway-unrouted" : sectionOf(alarm);
  });
  const pagesOf = (alarm: (typeof alarms)[number]): string => {
    if (isJoined.has(alarm.id)) return `by \`page-${sectionOf(alarm)}\``;
    return tellsPages(alarm) ? "yes" : "no";
  };

  /** Cents a month: for each metric, two more for a band, and more for an alarm that joins others. */
  const centsOf = (alarm: TemplateResource & { readonly Type: string }): number => {
    if (alarm.Type === "AWS::CloudWatch::CompositeAlarm") return 50;
    const bands = alarm.Properties.ThresholdMetricId === undefined ? 0 : 2;
    return 10 * (metricsOf(alarm).length + bands);
  };
  const sumOf = (some: readonly TemplateResource[]): number =>
    some.reduce((sum, alarm) => sum + centsOf(alarm), 0);

  const waitOf = ({ Properties: { ActionsSuppressorWaitPeriod: waitS } }: TemplateResource): string =>
    waitS === undefined ? "at once" : `after ${waitS / 60} min`;
  const spanOf = (alarm: TemplateResource): string => {
    const { DatapointsToAlarm, EvaluationPeriods } = alarm.Properties;
    if (DatapointsToAlarm === undefined) return waitOf(alarm);
    const periodS = periodMsOf(alarm) / 1_000;
    const unit = periodS === 60 ? "min" : periodS === 86_400 ? "day" : `× ${periodS / 60} min`;
    return `${DatapointsToAlarm} of ${EvaluationPeriods} ${unit}`;
  };

  test("has a row, and no other kind", () => {
    expect(sorted([...rows.keys()])).toEqual(sorted([...kinds.keys()]));
  });

  test.each([...kinds])("has its span, and says whether it pages: %s", (kind, some) => {
    const row = rows.get(kind);
    expect(new Set(some.map(spanOf))).toEqual(new Set([row?.in]));
    expect(new Set(some.map(pagesOf))).toEqual(new Set([row?.pages]));
  });

  test("and all of them together have their number and their price, for each endpoint", () => {
    const all = [...kinds.values()].flat();
    const [, ...told] =
      /^A stage has at most (\d+) alarms for each endpoint, which cost (\S+) USD/m.exec(
        projectText("docs/operations.md"),
      ) ?? [];
    for (const [at, sum] of [all.length, sumOf(all) / 100].entries()) {
      expect(sum / endpoints.length).toBeLessThanOrEqual(Number(told[at]));
      expect(sum / endpoints.length).toBeGreaterThan(0.8 * Number(told[at]));
    }
  });
});
