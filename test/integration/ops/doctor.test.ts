import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { addOperatorsStack } from "../../../infra/stacks/add-stacks.ts";
import type { Stage } from "../../../infra/stage.ts";
import { checkSigned } from "../../../ops/doctor/check-signed.ts";
import { type Finding, runChecks } from "../../../ops/doctor/finding.ts";
import { judgeSpace } from "../../../ops/doctor/local/local-checks.ts";
import { judgeClock, type StageContext, stackReader } from "../../../ops/doctor/stage/check-account.ts";
import { judgeDays } from "../../../ops/doctor/stage/check-addresses.ts";
import { openClaims } from "../../../ops/doctor/stage/open-claims.ts";
import { stageChecks } from "../../../ops/doctor/stage/stage-checks.ts";
import { AwsRefusal, type FakeAws, startFakeStage } from "../../support/fake-aws.ts";
import {
  answerAsHealthy,
  describedTable,
  queueAttributes,
  stackAnswer,
  subscriptionsXml,
} from "../../support/fake-stage.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { runOperator, temporaryDirectory } from "../../support/operator.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { resourcesOf, synthesize, testStage } from "../../support/synthesize.ts";
import { withStore } from "../../support/with-store.ts";

const REGION = "eu-central-1";
const certificate = (id: string) => `arn:aws:acm:${REGION}:123456789012:certificate/${id}`;
const withDomains: Stage = testStage({
  ingest: { producers: ["arn:aws:iam::123456789012:role/settlement"] },
  domains: {
    open: { name: "api.stage.test", certificateArn: certificate("open") },
    mutualTls: { name: "mtls.stage.test", certificateArn: certificate("mtls") },
  },
});
let stage: Stage = withDomains;
vi.mock("../../../ops/store/stage-file.ts", () => ({ readStageFile: () => stage }));

const NOW = 1_795_554_000_000;
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "api.stage.test": ["192.0.2.1"],
  "d-open.execute-api.eu-central-1.amazonaws.com": ["192.0.2.1", "192.0.2.2"],
  "mtls.stage.test": ["192.0.2.3"],
  "d-mtls.execute-api.eu-central-1.amazonaws.com": ["192.0.2.3"],
};
const refusal = (code: string) => JSON.stringify({ error_id: "an-id", code, message: "m", timestamp: 1 });
/** An address that answers everything alike. */
const answering =
  (body: string, status = 200) =>
  () =>
    Promise.resolve(new Response(body, { status }));
const handshakeRefused = () =>
  Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }));

let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeStage();
});
afterAll(() => aws.close());
beforeEach(() => {
  stage = withDomains;
  answerAsHealthy(aws, stage, NOW);
});

const addressIn = (url: string | URL | Request): string =>
  url instanceof Request ? url.url : url.toString();

/** What the public addresses answer, by the beginning of a URL. */
type Answers = Readonly<Record<string, () => Promise<Response>>>;
const healthy: Answers = {
  "https://api.stage.test": answering(refusal("invalid_credentials"), 401),
  "https://mtls.stage.test": handshakeRefused,
};

/** Makes every check, or `only` one. */
const examine = (
  changes: Partial<StageContext> = {},
  answers: Answers = healthy,
  only?: string,
): Promise<readonly Finding[]> =>
  withStore({ data: "", stage: "test" }, async (store) => {
    const context: StageContext = {
      stage,
      region: REGION,
      store,
      clock: () => NOW,
      resolve: (name) => Promise.resolve(ADDRESSES[name] ?? []),
      fetch: (url) =>
        Object.entries({ ...healthy, ...answers }).find(([start]) =>
          addressIn(url).startsWith(start),
        )?.[1]() ?? handshakeRefused(),
      stack: stackReader({ stage, region: REGION }),
      ...changes,
    };
    const checks = stageChecks(context, { data: "", timeout: 5 });
    const asked = checks.filter(({ name }) => only === undefined || name === only);
    return await runChecks(asked, "Attach ReadingPolicy.");
  });

const bad = (findings: readonly Finding[]) =>
  findings.filter(({ verdict, check }) => verdict !== "ok" && check !== "request");

/** A table's answers with a change of one. */
const changedTable = (table: "Imports" | "RateLimits" | "Transactions", change: object) => () =>
  aws.answers.set("dynamodb:DescribeTable", ({ TableName }) => {
    const name = String(TableName).split("-").at(-1) as "Transactions";
    return { Table: { ...describedTable("test", name), ...(name === table && change) } };
  });
const answerBy = (name: string, make: (input: Readonly<Record<string, unknown>>) => object | string) => () =>
  aws.answers.set(name, make);
const answer = (name: string, value: object | string) => () => aws.answers.set(name, () => value);
/** The part of a stage that a stack is. */
const partOf = (StackName: unknown): string => String(StackName).split("-").at(-1) ?? "";
const lambda = (path: string) => `lambda:GET ${path}`;
const inDays = (days: number) => NOW / 1_000 + days * 86_400;

describe("a healthy stage", () => {
  test("passes every check, but for the request that nobody gave credentials for", async () => {
    const findings = await examine();
    expect(bad(findings)).toEqual([]);
    expect(findings.find(({ check }) => check === "request")).toMatchObject({
      verdict: "not checked",
      todo: expect.stringContaining("--api-key-file"),
    });
    const some = ["account", "clock", "table Trades", "functions", "certificates", "names", "mutual TLS"];
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(some));
  });
});

/** The permission that a call needs; none for the question who one is. */
function permissionOf(call: string): string {
  if (call.endsWith("/aliases/live")) return "lambda:GetAlias";
  return call.endsWith("/account-settings") ? "lambda:GetAccountSettings" : call;
}

test("the policy of those who read has every permission that the checks and the status need, and no more", async () => {
  await examine();
  await runOperator(["status", "--stage", "test"]);
  const used = new Set(aws.calls.map(({ name }) => permissionOf(name)));
  used.delete("sts:GetCallerIdentity");
  const reading = resourcesOf(
    synthesize(stage, { add: addOperatorsStack }).operators,
    "AWS::IAM::ManagedPolicy",
  ).find(({ id }) => id.startsWith("Reading"));
  const allowed: readonly string[] = reading?.Properties.PolicyDocument.Statement.flatMap(
    ({ Action }: { Action: string | string[] }) => Action,
  );
  expect([...used].filter((action) => !allowed.includes(action))).toEqual([]);
  // Queries and the dashboard are for people who look by other means.
  const others =
    /^dynamodb:Query$|^cloudwatch:(?:DescribeAlarmHistory|ListDashboards|ListMetrics|GetDashboard)$/;
  expect(allowed.filter((action) => !used.has(action) && !others.test(action))).toEqual([]);
});

describe("a fault of a stage is found, with what to do", () => {
  test.each<readonly [what: string, spoil: () => unknown, check: string, told: RegExp]>([
    [
      "credentials of another account",
      answer(
        "sts:GetCallerIdentity",
        "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>999</Account></GetCallerIdentityResult></GetCallerIdentityResponse>",
      ),
      "account",
      /^fail: .*of the account 999.*AWS_PROFILE/,
    ],
    [
      "a clock that is an hour ahead",
      () => (aws.date = new Date(NOW - 3_600_000)),
      "clock",
      /^fail: .*(?:3600|3599).*set its clock/,
    ],
    [
      "a deployment that could not be taken back",
      answerBy("cloudformation:DescribeStacks", ({ StackName }) => {
        const part = partOf(StackName);
        return stackAnswer(part === "api" ? "UPDATE_ROLLBACK_FAILED" : "UPDATE_COMPLETE", part);
      }),
      "stacks",
      /^fail: .*api is UPDATE_ROLLBACK_FAILED.*When a deployment fails/,
    ],
    [
      "a stack that is not there",
      answerBy("cloudformation:DescribeStacks", ({ StackName }) =>
        partOf(StackName) === "operators"
          ? new AwsRefusal("ValidationError", `Stack with id ${String(StackName)} does not exist`)
          : stackAnswer("CREATE_COMPLETE", partOf(StackName)),
      ),
      "stacks",
      /^fail: .*operators is not there.*cdk deploy --all/,
    ],
    [
      "a table with other keys",
      changedTable("Transactions", { KeySchema: [{ AttributeName: "id", KeyType: "HASH" }] }),
      "table Transactions",
      /^fail: .*has the keys id \(S\), not business_id \(S\), id \(S\).*Restore a table/,
    ],
    [
      "a missing index",
      changedTable("Transactions", { GlobalSecondaryIndexes: [] }),
      "table Transactions",
      /^fail: .*has no index by-created.*cdk deploy/,
    ],
    [
      "an index that is being built",
      changedTable("Transactions", {
        GlobalSecondaryIndexes: describedTable("test", "Transactions").GlobalSecondaryIndexes?.map(
          (index) => ({ ...index, IndexStatus: "CREATING" }),
        ),
      }),
      "table Transactions",
      /^warn: .*by-created is CREATING.*Wait/,
    ],
    [
      "a table without deletion protection, though it has no backups",
      changedTable("Imports", { DeletionProtectionEnabled: false }),
      "table Imports",
      /^fail: .*not protected.*--deletion-protection-enabled/,
    ],
    [
      "no point-in-time recovery",
      answer("dynamodb:DescribeContinuousBackups", {
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: "ENABLED",
          PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
        },
      }),
      "table Trades",
      /^fail: .*no point-in-time recovery.*update-continuous-backups/,
    ],
    [
      "no time to live",
      answer("dynamodb:DescribeTimeToLive", { TimeToLiveDescription: { TimeToLiveStatus: "DISABLED" } }),
      "table RateLimits",
      /^fail: .*removes nothing by x.*update-time-to-live/,
    ],
    [
      "missing tags",
      answer("dynamodb:ListTagsOfResource", { Tags: [{ Key: "project", Value: "countinghouse" }] }),
      "table Passes",
      /^warn: .*lacks the tags stage=test.*cdk deploy/,
    ],
    [
      "a table that is not there",
      answer("dynamodb:DescribeTable", new AwsRefusal("ResourceNotFoundException", "Table not found")),
      "table Trades",
      /^fail: .*is not there.*cdk deploy/,
    ],
    [
      "a function without its alias",
      answer(
        lambda("/2015-03-31/functions/countinghouse-test-get-pass/aliases/live"),
        new AwsRefusal("ResourceNotFoundException", "Cannot find alias", 404),
      ),
      "functions",
      /^fail: .*countinghouse-test-get-pass is not there, or has no alias live.*cdk deploy/,
    ],
    [
      "a new account's concurrency",
      answer(lambda("/2016-08-19/account-settings"), {
        AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
      }),
      "concurrency",
      /^warn: .*10 environments.*request-service-quota-increase/,
    ],
    [
      "failed messages that go nowhere",
      answerBy("sqs:GetQueueAttributes", ({ QueueUrl }) => {
        const { SqsManagedSseEnabled } = queueAttributes("test", QueueUrl).Attributes;
        return { Attributes: { SqsManagedSseEnabled } };
      }),
      "queues",
      /^fail: .*records sends no failed messages to countinghouse-test-records-dead.*cdk deploy/,
    ],
    [
      "a queue that is not encrypted",
      answerBy("sqs:GetQueueAttributes", ({ QueueUrl }) => {
        const { RedrivePolicy } = queueAttributes("test", QueueUrl).Attributes;
        return { Attributes: { ...(RedrivePolicy !== undefined && { RedrivePolicy }) } };
      }),
      "queues",
      /^fail: .*records is not encrypted.*cdk deploy/,
    ],
    [
      "a queue that is missing beside others",
      answerBy("sqs:GetQueueUrl", ({ QueueName }) =>
        String(QueueName).endsWith("dead")
          ? new AwsRefusal("com.amazonaws.sqs#QueueDoesNotExist")
          : { QueueUrl: `${aws.endpoint}/1/${String(QueueName)}` },
      ),
      "queues",
      /^fail: .*records-dead is not there.*cdk deploy/,
    ],
    [
      "a certificate that ends soon",
      answer("acm:DescribeCertificate", { Certificate: { Status: "ISSUED", NotAfter: inDays(20) } }),
      "certificates",
      /^warn: .*api\.stage\.test ends in 20 days.*describe-certificate/,
    ],
    [
      "a certificate that was not issued",
      answer("acm:DescribeCertificate", { Certificate: { Status: "PENDING_VALIDATION" } }),
      "certificates",
      /^fail: .*PENDING_VALIDATION.*describe-certificate/,
    ],
    [
      "an authority that ends soon",
      answer("cloudwatch:GetMetricData", {
        MetricDataResults: [{ Id: "days", Values: [5], Timestamps: [1] }],
      }),
      "truststore",
      /^fail: .*in 5 days.*truststore/,
    ],
    [
      "a report of authorities that does not come",
      answer("cloudwatch:GetMetricData", { MetricDataResults: [{ Id: "days", Values: [] }] }),
      "truststore",
      /^not checked: .*no authority for two days.*lambda invoke/,
    ],
    [
      "nobody who is told of alarms",
      answer("sns:ListSubscriptionsByTopic", subscriptionsXml()),
      "alarms",
      /^warn: .*nobody is told.*alarms\.notify/,
    ],
    [
      "an address that has not confirmed",
      answer("sns:ListSubscriptionsByTopic", subscriptionsXml("PendingConfirmation")),
      "alarms",
      /^warn: .*team@example\.com has not confirmed.*Confirm it/,
    ],
  ])("%s", async (_, spoil, check, told) => {
    spoil();
    const lines = bad(await examine({}, healthy, check)).map(
      ({ verdict, text, todo }) => `${verdict}: ${text} ${todo}`,
    );
    expect(lines).toContainEqual(expect.stringMatching(told));
  });

  test.each([
    ["a gateway that fails", "api", answering('{"message":"x"}', 500), "answer", /answers 500/],
    ["another website", "api", answering("<html>"), "answer", /answers 200 with a body that is not ours/],
    ["a domain without a mapping", "api", answering('{"message":"Forbidden"}', 403), "answer", /answers 403/],
    [
      "a mutual TLS domain that lets anybody in",
      "mtls",
      answering(refusal("invalid_credentials"), 401),
      "mutual TLS",
      /answers 401 to a client without a certificate/,
    ],
  ])("%s", async (_, name, make, check, text) => {
    expect(bad(await examine({}, { [`https://${name}.stage.test`]: make }))).toMatchObject([
      { check, verdict: "fail", text: expect.stringMatching(text), todo: expect.any(String) },
    ]);
  });

  test.each([
    ["leads nowhere", [], "fail", /leads nowhere/],
    ["leads elsewhere", ["198.51.100.1"], "warn", /leads to 198\.51\.100\.1, not to the gateway/],
  ])("a name that %s", async (_, addresses, verdict, text) => {
    const resolve = (name: string) =>
      Promise.resolve(name === "api.stage.test" ? addresses : (ADDRESSES[name] ?? []));
    const told = { text: expect.stringMatching(text), todo: expect.stringContaining("d-open.") };
    expect(bad(await examine({ resolve }))).toMatchObject([{ check: "names", verdict, ...told }]);
  });

  test("a mutual TLS domain that refuses by a 403 is well", async () => {
    expect(bad(await examine({}, { "https://mtls.stage.test": answering("", 403) }))).toEqual([]);
  });
});

test("without any permission every check says so, and which policy has it", async () => {
  aws.answers.clear();
  aws.answers.set("dynamodb:DescribeTable", () => new AwsRefusal("AccessDeniedException", "no", 403));
  const findings = await examine();
  for (const check of ["stacks", "table Trades", "functions", "certificates", "alarms", "queues"])
    expect(findings.find((one) => one.check === check)).toMatchObject({
      verdict: "not checked",
      text: expect.stringContaining("may not do it"),
      todo: "Attach ReadingPolicy.",
    });
});

describe("a bound is judged on both sides", () => {
  test.each([
    [5_000, "ok"],
    [5_001, "warn"],
    [-5_001, "warn"],
    [60_000, "warn"],
    [60_001, "fail"],
  ])("a clock that is %d ms ahead: %s", (aheadMs, verdict) => {
    expect(judgeClock(aheadMs, "AWS's").verdict).toBe(verdict);
  });

  test.each([
    [30, "ok"],
    [29, "warn"],
    [7, "warn"],
    [6, "fail"],
    [-1, "fail"],
  ])("something that ends in %d days: %s", (days, verdict) => {
    expect(judgeDays("it", days, "renew it").verdict).toBe(verdict);
  });

  test.each([
    [1_024, "ok"],
    [1_023, "warn"],
    [100, "warn"],
    [99, "fail"],
  ])("%d MiB of room: %s", (mib, verdict) => {
    expect(judgeSpace(mib * 1024 ** 2).verdict).toBe(verdict);
  });
});

test("each claim that only a deployment can show names the stage where its command needs one", () => {
  const text = openClaims("prod")
    .map(({ how }) => how)
    .join();
  expect(text).toContain("countinghouse-prod-");
  expect(text).not.toContain("<name>");
});

describe("with a running service", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService("dynalite");
  }, 120_000);
  afterAll(() => service.close());

  const diagnose = async () => {
    const { code, stdout } = await runOperator(["doctor", "--data", service.dataDir, "--json"]);
    return { code, ...(JSON.parse(stdout) as { state: string; findings: Finding[] }) };
  };
  const fault = (...args: string[]) => runOperator(["demo", "fault", ...args, "--data", service.dataDir]);

  test("a laptop is well, then has a fault that was switched on, and one signed request shows another", async () => {
    const { code, state, findings } = await diagnose();
    expect([code, state, findings.filter(({ verdict }) => verdict !== "ok")]).toEqual([0, "well", []]);
    expect(findings.find(({ check }) => check === "request")?.text).toContain("answers a signed request");
    expect((await fault("get-pass", "503", "--times", "2")).stdout).toBe(
      `get-pass answers 503 temporarily_unavailable: its reads fail.\n  This meets the next 2 requests. To end it: npm run ops -- demo fault clear get-pass --data "${service.dataDir}"\n`,
    );
    expect((await fault("get-pass", "503", "--times", "1")).stdout).toContain(
      "This meets the next request. ",
    );
    const ofAll = (await fault("all", "slow", "--by", "2s", "--times", "2")).stdout;
    expect(ofAll).toContain(
      "get-pass answers late, by 2 s.\n  This meets the next 2 requests of each endpoint. To end it: ",
    );
    await fault("clear");
    await fault("list-trades", "503");
    const ill = await diagnose();
    expect([ill.code, ill.state]).toEqual([1, "attention"]);
    expect(ill.findings.filter(({ verdict }) => verdict !== "ok").map(({ check }) => check)).toEqual([
      "faults",
      "request",
    ]);
  });

  test("a stage at its own address is asked with a client's keys, through the gateway", async () => {
    await fault("clear");
    stage = testStage();
    answerAsHealthy(aws, stage, Date.now());
    aws.answers.set("cloudformation:DescribeStacks", ({ StackName }) =>
      stackAnswer("CREATE_COMPLETE", partOf(StackName), { ApiUrl: service.baseUrl }),
    );
    await using directory = await temporaryDirectory();
    const token = join(directory.path, "token.txt");
    await writeFile(token, service.demo.business.token);
    const run = await runOperator(["doctor", "--stage", "test", "--token-file", token, "--json"]);
    const { findings, onlyShownByDeployment } = JSON.parse(run.stdout);
    expect(findings.filter(({ verdict }: Finding) => verdict !== "ok")).toEqual([]);
    expect(run.code).toBe(0);
    expect(findings.at(-1).text).toContain("answers a business's request");
    expect(onlyShownByDeployment.length).toBeGreaterThan(15);
  });
});

test("a signed request that is asked to come back later is not waited for", async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(503, { "content-type": "application/json", "retry-after": "30" });
    response.end('{"code":"temporarily_unavailable","message":"Later.","retry_after_ms":30000}');
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  await using directory = await temporaryDirectory();
  const tokenFile = join(directory.path, "token.txt");
  await writeFile(tokenFile, "any-token");
  const url = `http://127.0.0.1:${port}`;
  const question = { url, tokenFile, data: directory.path, timeout: 5, symbol: undefined };
  expect(await checkSigned(question, Date.now)).toMatchObject({ verdict: "fail" });
  expect(asked).toBe(1);
}, 10_000);

describe("a laptop without", () => {
  test("a directory is told how to make one", async () => {
    const { code, stdout } = await runOperator(["doctor", "--data", "/nonexistent/data"]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^fail +directory +there is no .*Run `npm start` once/m),
    ]);
  });
});
