import { describe, expect, it } from "vitest";
import { variablesOf } from "../../../../local/runtime/function-variables.ts";
import { readApplication } from "../../../../local/template/template.ts";
import type { FunctionDefinition } from "../../../../local/template/template-function.ts";
import { apiResources, writeAssembly } from "../../../support/assembly.ts";

const arn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });

const queue = (name: string, more: object = {}) => ({
  Type: "AWS::SQS::Queue",
  Properties: { QueueName: name, SqsManagedSseEnabled: true, Tags: [], ...more },
});

const mapping = (more: object = {}) => ({
  Type: "AWS::Lambda::EventSourceMapping",
  Properties: {
    EventSourceArn: arn("Records"),
    FunctionName: { Ref: "Live" },
    BatchSize: 100,
    MaximumBatchingWindowInSeconds: 2,
    FunctionResponseTypes: ["ReportBatchItemFailures"],
    ScalingConfig: { MaximumConcurrency: 10 },
    Tags: [],
    ...more,
  },
});

/** An application with the queues and the event source that a stage with `ingest` has. */
function read(source: object = {}, records: object = {}) {
  const ingest = { Timeout: 60, Environment: { Variables: { REJECTED: { Ref: "Rejected" } } } };
  const Resources = {
    ...apiResources({ ingest: { routeKey: "GET /a", function: ingest } }),
    Live: {
      Type: "AWS::Lambda::Alias",
      Properties: { FunctionName: { Ref: "ingestFunction" }, FunctionVersion: "1", Name: "live" },
    },
    Rejected: queue("rejected", { MessageRetentionPeriod: 1_209_600 }),
    Dead: queue("dead"),
    Records: queue("records", {
      VisibilityTimeout: 360,
      RedrivePolicy: { deadLetterTargetArn: arn("Dead"), maxReceiveCount: 5 },
      ...records,
    }),
    Policy: {
      Type: "AWS::SQS::QueuePolicy",
      Properties: { Queues: [{ Ref: "Records" }], PolicyDocument: {} },
    },
    Source: mapping(source),
  };
  return readApplication(writeAssembly({ stacks: { api: { Resources } } }));
}

describe("a template with queues", () => {
  it("gives each queue its name, its ARN and the attributes that callers see", () => {
    const dead = "arn:aws:sqs:eu-west-1:000000000000:dead";
    const { queues } = read();
    expect(queues.map(({ name }) => name)).toEqual(["rejected", "dead", "records"]);
    expect(queues[2]).toEqual({
      name: "records",
      arn: "arn:aws:sqs:eu-west-1:000000000000:records",
      attributes: {
        VisibilityTimeout: "360",
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead, maxReceiveCount: 5 }),
      },
    });
    expect(queues[0]?.attributes).toEqual({ MessageRetentionPeriod: "1209600" });
  });

  it("gives the event source of a queue, to the function behind an alias", () => {
    expect(read().eventSources).toEqual([
      {
        queueName: "records",
        functionName: "ingest",
        batchSize: 100,
        windowMs: 2_000,
        invocationsMax: 10,
        reportsFailures: true,
      },
    ]);
  });

  it("gives Lambda's defaults where the template says nothing", () => {
    const source = {
      BatchSize: undefined,
      MaximumBatchingWindowInSeconds: undefined,
      FunctionResponseTypes: undefined,
      ScalingConfig: undefined,
    };
    expect(read(source).eventSources).toMatchObject([
      { batchSize: 10, windowMs: 0, invocationsMax: undefined, reportsFailures: false },
    ]);
  });

  it("gives a function the address of a queue: that of AWS, or the local one where queues are served", () => {
    const definition = read().functions[0] as FunctionDefinition;
    const store = { endpoint: "http://127.0.0.1:1", accessKeyId: "ASIA1" };
    expect(variablesOf(definition, store, {})).toMatchObject({
      REJECTED: "https://sqs.eu-west-1.amazonaws.com/000000000000/rejected",
    });
    expect(variablesOf(definition, store, {})).not.toHaveProperty("AWS_ENDPOINT_URL_SQS");
    const queuesEndpoint = "http://127.0.0.1:2/";
    expect(variablesOf(definition, { ...store, queuesEndpoint }, {})).toMatchObject({
      REJECTED: "http://127.0.0.1:2/000000000000/rejected",
      AWS_ENDPOINT_URL_SQS: queuesEndpoint,
    });
  });
});

describe("a template is refused, with the place, for", () => {
  it.each<[string, object, object, RegExp]>([
    ["a batch that needs a window", { MaximumBatchingWindowInSeconds: 0 }, {}, /Source .*without a window/],
    ["a timeout above the visibility", {}, { VisibilityTimeout: 59 }, /Source .*VisibilityTimeout/],
    ["a timeout above the default visibility", {}, { VisibilityTimeout: undefined }, /VisibilityTimeout/],
    ["a source other than a queue", { EventSourceArn: arn("ingestFunction") }, {}, /Source .*names no queue/],
    ["an unknown function", { FunctionName: "other" }, {}, /Source .*names no function/],
    [
      "a filter, which is not imitated",
      { FilterCriteria: {} },
      {},
      /Source .*does not know .*FilterCriteria/,
    ],
    ["a FIFO queue", {}, { FifoQueue: true }, /Records .*does not know .*FifoQueue/],
  ])("%s", (_, source, records, message) => {
    expect(() => read(source, records)).toThrow(message);
  });

  it("no window where ten messages are the most, and a timeout as long as the visibility are fine", () => {
    expect(() => read({ BatchSize: 10, MaximumBatchingWindowInSeconds: 0 })).not.toThrow();
    expect(() => read({}, { VisibilityTimeout: 60 })).not.toThrow();
  });
});
