import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { ingestEnvironmentOf } from "../../infra/environment.ts";
import { queueName, queues } from "../../infra/queues.ts";
import { MESSAGE_BYTES_MAX } from "../../lib/ingest/message.ts";
import { ingestEnv } from "../../lib/ingest/settings.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../local/store/local-account.ts";
import { resourcesOf, sorted, synthesize, type Template, testStage, textOf } from "../support/synthesize.ts";
import { everySetting, threeStages } from "../support/three-stages.ts";

const stage = threeStages["a stage with every setting"];
const { data, api, operators, directory } = synthesize(stage, { keep: true });
afterAll(() => rmSync(directory, { recursive: true }));
const place = { account: LOCAL_ACCOUNT, region: LOCAL_REGION };
const withQueues = synthesize(testStage({ ...place, ingest: everySetting.ingest }));
const without = synthesize(testStage(place));
const disposable = synthesize(testStage({ ingest: everySetting.ingest, disposable: true }));

const arnOf = (role: (typeof queues)[number]) =>
  `arn:aws:sqs:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${queueName("test", role)}`;
const queuesIn = (template: Template) =>
  new Map(
    resourcesOf(template, "AWS::SQS::Queue").map((queue) => [queue.Properties.QueueName as string, queue]),
  );
const queueOf = (template: Template, role: (typeof queues)[number]) => {
  const queue = queuesIn(template).get(queueName("test", role));
  if (queue === undefined) throw new Error(`There is no queue ${role}.`);
  return queue;
};

describe("a stage without `ingest`", () => {
  test("has no queue of records, and nothing that would read one", () => {
    for (const template of [without.data, without.api, without.alarms, without.operators])
      expect(JSON.stringify(template)).not.toMatch(/-records|EventSourceMapping|ingest/i);
  });
});

describe("the queues", () => {
  test("keep their names, by which everything else knows them, and their place in the data stack", () => {
    expect([...queuesIn(data)].map(([name, { id }]) => [name, id])).toEqual([
      ["countinghouse-test-records-dead", "QueuesDeadC0E868EF"],
      ["countinghouse-test-records", "QueuesRecords86EB0AC4"],
      ["countinghouse-test-records-rejected", "QueuesRejected0A91DD53"],
    ]);
    for (const template of [api, operators])
      expect([...queuesIn(template).keys()].filter((name) => name.includes("-records"))).toEqual([]);
  });

  test("outlive their stack with what waits in them, unless the stage is disposable", () => {
    for (const role of queues) {
      expect(queueOf(data, role).DeletionPolicy).toBe("RetainExceptOnCreate");
      expect(queueOf(data, role).UpdateReplacePolicy).toBe("Retain");
      expect(queueOf(disposable.data, role).DeletionPolicy).toBe("Delete");
    }
  });

  test("keep records for 4 days, and what failed for 14, which is the most", () => {
    const day = 86_400;
    const kept = queues.map((role) => queueOf(data, role).Properties.MessageRetentionPeriod / day);
    expect(Object.fromEntries(queues.map((role, at) => [role, kept[at]]))).toEqual({
      records: 4,
      rejected: 14,
      dead: 14,
    });
  });

  test("hide a message for six times the function's time and the window, and give up after five receives", () => {
    const { VisibilityTimeout, RedrivePolicy } = queueOf(data, "records").Properties;
    const [lambda] = ofIngest("AWS::Lambda::Function");
    expect([VisibilityTimeout, lambda?.Properties.Timeout]).toEqual([362, 60]);
    expect(RedrivePolicy.maxReceiveCount).toBe(5);
    expect(RedrivePolicy.deadLetterTargetArn).toEqual({ "Fn::GetAtt": [queueOf(data, "dead").id, "Arn"] });
  });

  test("let only the queue of records put its dead messages into the dead one, and none into another", () => {
    const allowed = Object.fromEntries(
      queues.map((role) => [role, queueOf(data, role).Properties.RedriveAllowPolicy]),
    );
    expect(allowed).toEqual({
      records: { redrivePermission: "denyAll" },
      rejected: { redrivePermission: "denyAll" },
      dead: { redrivePermission: "byQueue", sourceQueueArns: [arnOf("records")] },
    });
  });

  test("take a message within its contract with 16 KiB of attributes, and every rejected one", () => {
    const bytesOf = (role: (typeof queues)[number]) =>
      queueOf(data, role).Properties.MaximumMessageSize ?? 1_024 * 1_024;
    expect(bytesOf("records") - MESSAGE_BYTES_MAX).toBe(16 * 1_024);
    expect(bytesOf("rejected")).toBeGreaterThan(2 * bytesOf("records"));
    expect(bytesOf("dead")).toBeGreaterThanOrEqual(bytesOf("records"));
  });

  test("are encrypted by SQS, or by the stage's own key", () => {
    for (const role of queues) {
      const { KmsMasterKeyId } = queueOf(data, role).Properties;
      expect(KmsMasterKeyId).toBe(everySetting.encryption.keyArn);
      const { SqsManagedSseEnabled, ...others } = queueOf(withQueues.data, role).Properties;
      expect([SqsManagedSseEnabled, others.KmsMasterKeyId]).toEqual([true, undefined]);
    }
  });

  test("refuse everything without TLS, and let the producers send to one of them and nobody anything else", () => {
    const policies = resourcesOf(data, "AWS::SQS::QueuePolicy");
    expect(policies).toHaveLength(queues.length);
    const statements = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.map((statement: object) => ({
        queue: Properties.Queues[0].Ref as string,
        ...statement,
      })),
    );
    const denials = statements.filter(({ Effect }) => Effect === "Deny");
    expect(sorted(denials.map(({ queue }) => queue))).toEqual(
      sorted(queues.map((role) => queueOf(data, role).id)),
    );
    for (const { Action, Condition, Principal } of denials)
      expect([Action, Condition, Principal]).toEqual([
        "sqs:*",
        { Bool: { "aws:SecureTransport": "false" } },
        { AWS: "*" },
      ]);
    expect(statements.filter(({ Effect }) => Effect !== "Deny")).toEqual([
      expect.objectContaining({
        queue: queueOf(data, "records").id,
        Effect: "Allow",
        Action: ["sqs:GetQueueUrl", "sqs:SendMessage"],
        Principal: { AWS: everySetting.ingest.producers },
      }),
    ]);
  });
});

const ofIngest = (type: string) => resourcesOf(api, type).filter(({ id }) => id.startsWith("IngestRecords"));

describe("the function that takes in messages", () => {
  test("gets batches of 100 at the alias `live`, ten at once, and names what it returns", () => {
    const [mapping, ...others] = ofIngest("AWS::Lambda::EventSourceMapping");
    expect(others).toEqual([]);
    const { EventSourceArn, FunctionName, Tags: _tags, ...rest } = mapping?.Properties ?? {};
    expect(EventSourceArn).toBe(arnOf("records"));
    expect(textOf(FunctionName)).toBe(`\${${ofIngest("AWS::Lambda::Alias")[0]?.id}}`);
    expect(rest).toEqual({
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 2,
      ScalingConfig: { MaximumConcurrency: 10 },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
  });

  test("has no reserved concurrency, below which throttles would count as receives", () => {
    const [lambda] = ofIngest("AWS::Lambda::Function");
    expect(lambda?.Properties).not.toHaveProperty("ReservedConcurrentExecutions");
  });

  test("finds the rejected queue by an address that SQS gives it", () => {
    const [lambda] = ofIngest("AWS::Lambda::Function");
    const { REJECTED_QUEUE_URL } = lambda?.Properties.Environment.Variables ?? {};
    expect(textOf(REJECTED_QUEUE_URL)).toBe(
      `https://sqs.${LOCAL_REGION}.\${AWS::URLSuffix}/${LOCAL_ACCOUNT}/countinghouse-test-records-rejected`,
    );
  });

  test("reads the tables that the stage uses, and refuses an environment that it could not start with", () => {
    const environment = ingestEnvironmentOf(stage, "https://sqs.test/1/rejected");
    expect(Object.keys(environment).toSorted()).toEqual(Object.keys(ingestEnv.shape).toSorted());
    expect(environment.TRADES_TABLE).toBe(everySetting.tables.Trades);
    expect(() => ingestEnvironmentOf({ ...stage, name: "" }, "https://sqs.test/1/rejected")).toThrow(
      "ingest-records would refuse its environment. STAGE_NAME",
    );
  });

  test("may receive from one queue, send to the rejected one, and delete or change nothing else", () => {
    const statements: { Action: string | string[]; Resource: unknown; Condition?: unknown }[] =
      ofIngest("AWS::IAM::Policy")[0]?.Properties.PolicyDocument.Statement;
    const about = (service: string) =>
      statements
        .filter(({ Action }) => [Action].flat().some((action) => action.startsWith(`${service}:`)))
        .map(({ Action, Resource, Condition }) => [[Action].flat(), Resource, Condition]);
    expect(about("sqs")).toEqual([
      [["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"], arnOf("records"), undefined],
      [["sqs:SendMessage"], arnOf("rejected"), undefined],
    ]);
    const actions = statements
      .flatMap(({ Action }) => Action)
      .filter((action) => action.startsWith("dynamodb:"));
    expect(actions.filter((action) => /Delete|Create|UpdateTable/.test(action))).toEqual([]);
    const services = about("kms").map(([, , condition]) => condition);
    expect(services).toEqual(
      ["sqs", "dynamodb"].map((service) => ({
        StringEquals: { "kms:ViaService": `${service}.${LOCAL_REGION}.amazonaws.com` },
      })),
    );
  });
});

describe("the setting `ingest`", () => {
  const given = (producers: unknown) => testStage({ ingest: { producers } }).ingest?.producers;

  test.each([
    "arn:aws:iam::123456789012:role/settlement",
    "arn:aws-us-gov:iam::123456789012:role/teams/data/feed+1",
  ])("takes the role %s", (arn) => {
    expect(given([arn])).toEqual([arn]);
  });

  test.each([
    "arn:aws:iam::123456789012:user/somebody",
    "arn:aws:iam::123456789012:root",
    "arn:aws:iam::123456789012:role/*",
    "arn:aws:sts::123456789012:assumed-role/settlement/session",
    "*",
    "",
  ])("refuses %j, which is not a role", (arn) => {
    expect(() => given([arn])).toThrow("ingest.producers.0: must be the ARN of an IAM role");
  });

  test("names at least one role, and each once", () => {
    const arn = "arn:aws:iam::123456789012:role/settlement";
    expect(() => given([])).toThrow("ingest.producers: must name a role");
    expect(() => given([arn, arn])).toThrow("ingest.producers: must not name a role twice");
    expect(() => testStage({ ingest: {} })).toThrow("ingest.producers: must be given");
  });
});

describe("operators", () => {
  const allowed = (job: string, role: (typeof queues)[number]): string[] =>
    resourcesOf(operators, "AWS::IAM::ManagedPolicy")
      .filter(({ id }) => id.startsWith(job))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Resource }) => [Resource].flat().includes(arnOf(role)))
      .flatMap(({ Action }) => Action)
      .map((action: string) => action.replace("sqs:", ""))
      .toSorted();

  test("who import send records, move dead messages back, and take rejected ones out", () => {
    const sight = ["GetQueueAttributes", "GetQueueUrl"];
    expect(allowed("Imports", "records")).toEqual([...sight, "SendMessage"]);
    expect(allowed("Imports", "rejected")).toEqual([
      "ChangeMessageVisibility",
      "DeleteMessage",
      ...sight,
      "ReceiveMessage",
    ]);
    expect(allowed("Imports", "dead")).toEqual([
      "CancelMessageMoveTask",
      "DeleteMessage",
      ...sight,
      "ListMessageMoveTasks",
      "ReceiveMessage",
      "StartMessageMoveTask",
    ]);
  });

  test.each(["Incidents", "Reading"])("with the job %s see how much waits, and no message", (job) => {
    for (const role of queues) expect(allowed(job, role)).toEqual(["GetQueueAttributes", "GetQueueUrl"]);
  });

  test.each(["Keys", "Switches"])("with the job %s have nothing to do with queues", (job) => {
    for (const role of queues) expect(allowed(job, role)).toEqual([]);
  });
});
