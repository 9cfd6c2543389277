import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { statusOf } from "../../lib/http/error-response.ts";
import type { LogOrigin, RequestLogEntry } from "../../lib/log.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import { SwitchRegister } from "../../ops/switches/switch-register.ts";
import { exampleFile, type RecordedExample } from "../../publish/reference/recorded-example.ts";
import { plainStore } from "../support/engine.ts";
import { type ExampleRequest, exampleRequests, storeExampleRecords } from "../support/example-requests.ts";
import { recordAnswer } from "../support/recorded-answer.ts";
import { startTestService, type TestService } from "../support/service.ts";

const endpoints = endpointReferences.map(({ contract }) => contract.name);
const recorded = new Map<string, RecordedExample[]>(endpoints.map((name) => [name, []]));

/** Sends each request, and keeps its last answer as an example of its endpoint. */
async function record(service: TestService, requests: readonly ExampleRequest[]): Promise<void> {
  for (const request of requests) recorded.get(request.endpoint)?.push(await recordAnswer(service, request));
}

/** What the lines of all answers count, as `<endpoint> <code>`. That each line is in CloudWatch's format, the service checks. */
const counted = new Set<string>();

/** Ends a service whose lines are all there. */
async function close(service: TestService): Promise<void> {
  await service.close();
  for (const text of service.lines.filter((line) => line.includes('"Requests":1'))) {
    const { endpoint, code } = JSON.parse(text.slice(text.indexOf("{"))) as LogOrigin &
      Pick<RequestLogEntry, "code">;
    counted.add(`${endpoint} ${code}`);
  }
}

/** A service with the records that the examples show. */
async function startWithRecords() {
  const service = await startTestService(plainStore);
  return { service, requests: await exampleRequests(service, await storeExampleRecords(service)) };
}

async function recordGoodAndBad(): Promise<void> {
  const { service, requests } = await startWithRecords();
  try {
    await record(service, await requests.answered());
    await record(service, requests.refused());
  } finally {
    await close(service);
  }
}

async function recordFailures(): Promise<void> {
  const { service, requests } = await startWithRecords();
  try {
    await service.client.send(new DeleteTableCommand({ TableName: service.tableName("Credentials") }));
    await record(service, requests.good("internal_error"));
    await service.stopStore();
    await record(service, requests.good("temporarily_unavailable"));
  } finally {
    await close(service);
  }
}

async function recordSwitchedOff(): Promise<void> {
  const { service, requests } = await startWithRecords();
  try {
    const switches = new SwitchRegister(service.table("Settings"));
    for (const name of endpoints) await switches.put(name, { on: false, reason: "maintenance" });
    // A function remembers for five seconds that it is on.
    const due = requests.good("service_disabled").map((request) => ({ ...request, until: 503 }));
    await record(service, due);
  } finally {
    await close(service);
  }
}

beforeAll(async () => {
  await recordGoodAndBad();
  await recordSwitchedOff();
  await recordFailures();
});

describe.each(endpointReferences)("the examples of $contract.name", ({ contract, codes, notModified }) => {
  const examples = () => recorded.get(contract.name) ?? [];

  test("are what the service answers", async () => {
    await expect(`${JSON.stringify(examples(), null, 2)}\n`).toMatchFileSnapshot(exampleFile(contract.name));
  });

  test("show every code, with its status, and nothing else", () => {
    const failures = examples().filter(({ code }) => code !== undefined);
    const shown = failures.map(({ code, response }) => `${response.status} ${code}`);
    const due = codes.map((code) => `${statusOf[code]} ${code}`);
    expect(shown.toSorted()).toEqual(due.toSorted());
    const good = examples().filter(({ code }) => code === undefined);
    const statuses = new Set(good.map(({ response }) => response.status));
    expect(statuses).toEqual(new Set(notModified === undefined ? [200] : [200, 304]));
  });

  test("left a line for every code, and for an answer without one, by which CloudWatch counts it", () => {
    const lines = [...counted].filter((line) => line.startsWith(`${contract.name} `));
    const due = [...codes, undefined].map((code) => `${contract.name} ${code}`);
    expect(lines.toSorted()).toEqual(due.toSorted());
  });
});
