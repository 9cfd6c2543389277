import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { queueName } from "../../../infra/queues.ts";
import { claimPort } from "../../../local/gateway/port.ts";
import { makeQueues } from "../../../local/queue/local-queues.ts";
import { QueueJournal } from "../../../local/queue/queue-journal.ts";
import { serveQueues } from "../../../local/queue/queue-server.ts";
import { queueDefinitions } from "../../support/local-queues.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const directory = scratchDirectory();
const records = queueName("local", "records");

const claimed = await claimPort(0, "127.0.0.1", "--queue-port");
const endpoint = `http://127.0.0.1:${claimed.port}`;
const url = `${endpoint}/000000000000/${records}`;
const queues = makeQueues(queueDefinitions, `${endpoint}/`, await QueueJournal.open(directory));
const purge = () => queues.store.clearMessages();
await claimed.release();
const isOwnHost = (host: string) => host.startsWith("127.0.0.1");
const server = await serveQueues({
  queues,
  host: "127.0.0.1",
  port: claimed.port,
  isOwnHost,
  log: () => {},
});
// A region of the caller's own, as a shell may set one.
const client = new SQSClient({
  endpoint,
  region: "us-west-2",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
  maxAttempts: 1,
});
const close = async () => {
  client.destroy();
  await server.close();
};

beforeEach(() => purge());
afterAll(() => close());

const send = (MessageBody: string, more: object = {}) =>
  client.send(new SendMessageCommand({ QueueUrl: url, MessageBody, ...more }));
const receive = async (more: object = {}) =>
  (await client.send(new ReceiveMessageCommand({ QueueUrl: url, ...more }))).Messages ?? [];
const stringAttribute = (StringValue: string) => ({ DataType: "String", StringValue });

it("a program finds the queue by its name, whatever region it signs for, and by the list", async () => {
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: records }));
  expect(QueueUrl).toBe(url);
  const { QueueUrls } = await client.send(new ListQueuesCommand({}));
  expect(QueueUrls).toContain(url);
  await expect(client.send(new GetQueueUrlCommand({ QueueName: "other" }))).rejects.toMatchObject({
    name: "QueueDoesNotExist",
  });
});

it("a message is received with every character that SQS takes, and is gone once it is deleted", async () => {
  const body = '{"a":"\t\r\n ~é\u{d7ff}\u{e000}\u{fffd}\u{1f680}\u{10ffff}"}';
  const { MessageId } = await send(body);
  const [message] = await receive();
  expect(message).toMatchObject({ MessageId, Body: body });
  await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message?.ReceiptHandle ?? "" }));
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["All"] }),
  );
  expect(Attributes).toMatchObject({
    ApproximateNumberOfMessages: "0",
    ApproximateNumberOfMessagesNotVisible: "0",
    VisibilityTimeout: "360",
  });
});

describe("limits hold to the byte", () => {
  it("of a message, its attributes included", async () => {
    const attributes = { MessageAttributes: { ab: stringAttribute("c") } };
    const room = 262_144 - Buffer.byteLength("abStringc");
    await expect(send(`x${"é".repeat((room - 1) / 2)}`, attributes)).resolves.toBeDefined();
    await expect(send(`xx${"é".repeat((room - 1) / 2)}`, attributes)).rejects.toMatchObject({
      name: "InvalidParameterValue",
      message: expect.stringContaining("262144"),
    });
  });

  const batch = (...bodies: readonly string[]) =>
    client.send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: bodies.map((MessageBody, at) => ({ Id: `${at}`, MessageBody })),
      }),
    );

  it("of a batch: ten messages, and a MiB of them all", async () => {
    const quarter = 262_144;
    const { Successful } = await batch(...Array<string>(4).fill("a".repeat(quarter)));
    expect(Successful).toHaveLength(4);
    await expect(batch(...Array<string>(4).fill("a".repeat(quarter)), "b")).rejects.toMatchObject({
      name: "BatchRequestTooLong",
    });
    await expect(batch(...Array<string>(11).fill("a"))).rejects.toMatchObject({
      name: "TooManyEntriesInBatchRequest",
    });
  });

  it("and one bad message of a batch does not hold up the others", async () => {
    const { Successful, Failed } = await batch("a", "\u0000", "b".repeat(262_145), "c");
    expect(Successful?.map(({ Id }) => Id)).toEqual(["0", "3"]);
    expect(Failed).toMatchObject([
      { Id: "1", SenderFault: true, Code: "InvalidMessageContents" },
      { Id: "2", SenderFault: true, Code: "InvalidParameterValue" },
    ]);
  });
});

it("attributes come only when they are asked for", async () => {
  await send("a", { MessageAttributes: { reason: stringAttribute("why") } });
  const [without] = await receive({ VisibilityTimeout: 0 });
  expect(without?.MessageAttributes).toBeUndefined();
  const [message] = await receive({ MessageAttributeNames: ["All"] });
  expect(message?.MessageAttributes).toMatchObject({ reason: { StringValue: "why" } });
});

it("a message that is given back can be received at once, and is in the dead queue after five receives", async () => {
  await send("a");
  for (const times of ["1", "2", "3", "4", "5"]) {
    const [message] = await receive({ MessageSystemAttributeNames: ["All"] });
    expect(message?.Attributes?.ApproximateReceiveCount).toBe(times);
    expect(await receive()).toEqual([]);
    await client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: url,
        ReceiptHandle: message?.ReceiptHandle ?? "",
        VisibilityTimeout: 0,
      }),
    );
  }
  expect(await receive()).toEqual([]);
  expect(await receive({ QueueUrl: url.replace(records, queueName("local", "dead")) })).toMatchObject([
    { Body: "a" },
  ]);
});

it("a long poll is answered as soon as a message is sent", async () => {
  const waiting = receive({ WaitTimeSeconds: 20 });
  await send("late");
  expect(await waiting).toMatchObject([{ Body: "late" }]);
});

it("a message is in the file of the data directory when its sender has the answer", async () => {
  await send("kept at once");
  expect(await readFile(join(directory, "queues.ndjson"), "utf8")).toContain("kept at once");
});

describe("what is not answered is said", () => {
  it("a call that the local queues do not know", async () => {
    const call = client.send(
      new StartMessageMoveTaskCommand({ SourceArn: "arn:aws:sqs:eu-west-1:000000000000:x" }),
    );
    await expect(call).rejects.toMatchObject({
      name: "UnsupportedOperation",
      message: expect.stringContaining("not StartMessageMoveTask"),
    });
  });

  const post = (headers: Record<string, string>, body = "{}") =>
    fetch(endpoint, { method: "POST", headers, body });
  const target = { "x-amz-target": "AmazonSQS.ListQueues" };

  it("the query protocol, and bodies that are not a JSON object", async () => {
    const query = await post({}, "Action=ListQueues");
    expect(query.status).toBe(400);
    expect(await query.text()).toContain("JSON protocol");
    expect(await (await post(target, "[")).text()).toContain("SerializationException");
    expect(await (await post(target, "3")).text()).toContain("SerializationException");
  });

  it("requests of web pages, by their origin", async () => {
    expect((await post({ ...target, origin: "https://example.com" })).status).toBe(403);
    expect((await post(target)).status).toBe(200);
  });

  it("requests under a foreign host, and under a malformed one", async () => {
    const statusUnder = async (host: string) => {
      const asked = request(endpoint, { method: "POST", headers: { ...target, host } });
      asked.end("{}");
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusUnder("127.0.0.1")).toBe(200);
    for (const host of ["127.0.0.1%2ecom", "127.0.0.1@evil.example", "evil.example"])
      expect(await statusUnder(host)).toBe(403);
  });
});
