import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Stage } from "../../../infra/stage.ts";
import { systemClock } from "../../../lib/clock.ts";
import { CredentialRegister } from "../../../local/credentials/credential-register.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../../local/store/local-account.ts";
import { readCredentialState } from "../../../ops/status/status.ts";
import { type NearStore, openNearStore } from "../../support/engine.ts";
import { denied, type FakeAws, startFakeStage } from "../../support/fake-aws.ts";
import { heldStore } from "../../support/held-store.ts";
import { runOperator } from "../../support/operator.ts";
import { testStage } from "../../support/test-stage.ts";
import { withStore } from "../../support/with-store.ts";

const place = { account: LOCAL_ACCOUNT, region: LOCAL_REGION };
const withQueues: Stage = testStage({
  ...place,
  ingest: { producers: ["arn:aws:iam::123456789012:role/settlement"] },
});
let stage = withQueues;
vi.mock("../../../ops/store/stage-file.ts", () => ({ readStageFile: () => stage }));

const DAY_MS = 86_400_000;

describe("the status of a laptop", () => {
  test("is well, then names what needs somebody, and exits with 1 until that is over", async () => {
    await using store = await heldStore();
    const { data } = store;
    const run = (...args: string[]) => runOperator([...args, "--data", data]);
    const { code, stdout } = await run("status");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok +switches +all endpoints are on$/m)]);
    await run("switch", "get-pass", "off", "--reason", "the disk is full");
    expect(await run("status")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^look +switches +get-pass is off.*: the disk is full$/m),
    });
    const json = JSON.parse((await run("status", "--json")).stdout);
    expect(json).toMatchObject({
      state: "attention",
      switchesOff: [{ endpoint: "get-pass", reason: "the disk is full" }],
      blockedSubjects: [],
      endingCredentials: [],
      unknown: [],
    });
    expect(json).not.toHaveProperty("tenants");
    expect(JSON.parse((await run("status", "--count", "--json")).stdout)).toMatchObject({ tenants: [] });
    await run("switch", "get-pass", "on");
    await run("subjects", "block", "acme");
    expect(await run("status")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok +subjects +acme is blocked since 2/m),
    });
  });

  test("says of a switch who set it and when, where that is kept", async () => {
    await using store = await heldStore();
    const { data } = store;
    await withStore({ data }, async ({ table }) => {
      const { client, name } = table("Settings");
      const Item = {
        id: { S: "switch#get-pass" },
        off_reason: { S: "why" },
        set_by: { S: "local:kim" },
        set_at: { N: "1795554000000" },
      };
      await client.send(new PutItemCommand({ TableName: name, Item }));
    });
    expect((await runOperator(["status", "--data", data])).stdout).toContain(
      "get-pass is off since 2026-11-24T21:00:00.000Z by local:kim: why",
    );
  });
});

describe("a credential is shown", () => {
  let store: NearStore;
  beforeAll(async () => {
    store = await openNearStore();
  });
  afterAll(() => store.close());

  test.each([
    [30 * DAY_MS, false],
    [30 * DAY_MS - 1, true],
    [1, true],
    [0, true],
    [-7 * DAY_MS + 1, true],
    [-7 * DAY_MS, false],
  ])("whose end lies %d ms ahead: %j", async (aheadMs, isShown) => {
    const now = systemClock();
    await store.empty();
    const register = new CredentialRegister(store.table("Credentials"));
    const row = { kind: "ramp-key", owner: "acme", scopes: [], createdAt: 1 } as const;
    const own = { ...row, expiresAt: now + aheadMs };
    await register.add({ ...own, id: "ramp-key#1" });
    await register.add({ ...own, id: "ramp-key#2", revokedAt: now });
    await register.add({ ...own, id: "ramp-key#3" });
    await register.add({ ...own, id: "ramp-key#4", expiresAt: now + 300 * DAY_MS });
    await register.replace("ramp-key#3", "ramp-key#4", now + aheadMs);
    const { endingCredentials: ending } = await readCredentialState(store, now);
    expect(ending.map(({ id }) => id)).toEqual(isShown ? ["ramp-key#1"] : []);
  });
});

describe("the status of a stage", () => {
  let aws: FakeAws;

  beforeAll(async () => {
    aws = await startFakeStage();
  });
  afterAll(() => aws.close());
  beforeEach(() => {
    stage = withQueues;
    aws.answers.clear();
    aws.answers.set("cloudwatch:DescribeAlarms", () => ({ MetricAlarms: [], CompositeAlarms: [] }));
    aws.answers.set("sqs:GetQueueUrl", ({ QueueName }) => ({
      QueueUrl: `${aws.endpoint}/1/${String(QueueName)}`,
    }));
    aws.answers.set("sqs:GetQueueAttributes", () => ({
      Attributes: { ApproximateNumberOfMessages: "0", ApproximateNumberOfMessagesNotVisible: "0" },
    }));
  });

  const status = async () => {
    const { code, stdout } = await runOperator(["status", "--stage", "test", "--json"]);
    return { code, ...JSON.parse(stdout) };
  };

  test("is well where nothing rings", async () => {
    const seen = await status();
    expect(seen).toMatchObject({ code: 0, state: "well", alarms: [], unknown: [] });
    expect(seen.queues).toHaveLength(3);
    expect(seen.tables).toHaveLength(4);
    expect(aws.calls.find(({ name }) => name === "cloudwatch:DescribeAlarms")?.input).toMatchObject({
      AlarmNamePrefix: "countinghouse-test-",
      StateValue: "ALARM",
    });
  });

  test("has the alarms that ring, of every page, with why", async () => {
    const alarm = (AlarmName: string) => ({
      AlarmName,
      StateReason: "Threshold Crossed",
      StateUpdatedTimestamp: 1_795_554_000,
    });
    aws.answers.set("cloudwatch:DescribeAlarms", ({ NextToken }) =>
      NextToken === undefined
        ? { MetricAlarms: [alarm("countinghouse-test-crash-get-pass")], CompositeAlarms: [], NextToken: "2" }
        : { MetricAlarms: [], CompositeAlarms: [alarm("countinghouse-test-page-issuer")] },
    );
    expect(await status()).toMatchObject({
      code: 1,
      alarms: [
        {
          name: "countinghouse-test-crash-get-pass",
          since: "2026-11-24T21:00:00.000Z",
          reason: "Threshold Crossed",
        },
        { name: "countinghouse-test-page-issuer" },
      ],
    });
  });

  test.each([
    ["records", 0],
    ["rejected", 1],
    ["dead", 1],
  ])("needs somebody for a message in the queue %s: %d", async (queue, code) => {
    aws.answers.set("sqs:GetQueueAttributes", ({ QueueUrl }) => {
      const isMeant = String(QueueUrl).endsWith(queue === "records" ? "-records" : `-${queue}`);
      return {
        Attributes: {
          ApproximateNumberOfMessages: isMeant ? "7" : "0",
          ApproximateNumberOfMessagesNotVisible: "1",
        },
      };
    });
    const seen = await status();
    expect([seen.code, seen.queues]).toEqual([
      code,
      expect.arrayContaining([{ queue, waiting: 7, inFlight: 1 }]),
    ]);
  });

  test("of a stage without queues has none", async () => {
    stage = testStage(place);
    const seen = await status();
    expect([seen.code, "queues" in seen]).toEqual([0, false]);
  });

  test.each([
    ["cloudwatch:DescribeAlarms", "alarms"],
    ["sqs:GetQueueAttributes", "queues"],
    ["dynamodb:Scan", "credentials"],
    ["dynamodb:GetItem", "switches"],
    ["dynamodb:DescribeTable", "records"],
  ])("shows the rest without the permission for %s, and says what is missing", async (action, part) => {
    aws.answers.set(action, () => denied(action));
    const seen = await status();
    expect([seen.code, seen.state]).toEqual([2, "unknown"]);
    expect(seen.unknown).toContainEqual({
      part,
      why: `these AWS credentials may not do it: ${action}`,
    });
    expect(
      ["alarms", "switchesOff", "endingCredentials", "queues", "tables"].filter(
        (member) => !(member in seen),
      ),
    ).toHaveLength(1);
  });
});
