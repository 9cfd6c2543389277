import { isMembers } from "../../lib/json-value.ts";
import { ownMember } from "../../lib/own-member.ts";
import { SqsError } from "./fauxqs.ts";

/** The type of a member, as SQS's model has it. Members that it does not name are left out, and null counts as absent. */
type Shape =
  | "String"
  | "Integer"
  | "Blob"
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly members: Members };

type Members = Readonly<Record<string, Shape>>;

const texts = { list: "String" } as const;

const attributes = {
  map: {
    members: {
      DataType: "String",
      StringValue: "String",
      BinaryValue: "Blob",
      StringListValues: texts,
      BinaryListValues: { list: "Blob" },
    },
  },
} as const;

const message = {
  MessageBody: "String",
  DelaySeconds: "Integer",
  MessageAttributes: attributes,
  MessageSystemAttributes: attributes,
  MessageDeduplicationId: "String",
  MessageGroupId: "String",
} as const;

const received = { ReceiptHandle: "String" } as const;
const visible = { ...received, VisibilityTimeout: "Integer" } as const;

const entries = (members: Members) => ({ list: { members: { Id: "String", ...members } } }) as const;

const SHAPES: Readonly<Record<string, Members>> = {
  ChangeMessageVisibility: { QueueUrl: "String", ...visible },
  ChangeMessageVisibilityBatch: { QueueUrl: "String", Entries: entries(visible) },
  DeleteMessage: { QueueUrl: "String", ...received },
  DeleteMessageBatch: { QueueUrl: "String", Entries: entries(received) },
  GetQueueAttributes: { QueueUrl: "String", AttributeNames: texts },
  GetQueueUrl: { QueueName: "String", QueueOwnerAWSAccountId: "String" },
  ListQueues: { QueueNamePrefix: "String", NextToken: "String", MaxResults: "Integer" },
  PurgeQueue: { QueueUrl: "String" },
  ReceiveMessage: {
    QueueUrl: "String",
    AttributeNames: texts,
    MessageAttributeNames: texts,
    MessageSystemAttributeNames: texts,
    MaxNumberOfMessages: "Integer",
    ReceiveRequestAttemptId: "String",
    VisibilityTimeout: "Integer",
    WaitTimeSeconds: "Integer",
  },
  SendMessage: { QueueUrl: "String", ...message },
  SendMessageBatch: { QueueUrl: "String", Entries: entries(message) },
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const INTEGER_MAX = 2 ** 31 - 1;

/** A value's type, as SQS's refusals have it. */
function typeOf(value: unknown): string {
  if (value === null) return "NULL_VALUE";
  if (Array.isArray(value)) return "START_ARRAY";
  return isMembers(value) ? "START_OBJECT" : `${typeof value}_VALUE`.toUpperCase();
}

const misshapen = (path: string, value: unknown, wanted: string): SqsError =>
  new SqsError("SerializationException", `${path}: ${typeOf(value)} can not be converted to ${wanted}`);

/** The members of a call, each of its type. @throws {SqsError} `SerializationException`. */
export const readCall = (action: string, input: unknown): Record<string, unknown> =>
  readMembers(ownMember(SHAPES, action) ?? {}, input, "The call");

function readMembers(members: Members, value: unknown, path: string): Record<string, unknown> {
  if (!isMembers(value)) throw misshapen(path, value, "a structure");
  const given = Object.entries(members).flatMap(([name, shape]) => {
    const member = ownMember(value, name) ?? undefined;
    return member === undefined
      ? []
      : [[name, read(shape, member, path === "The call" ? name : `${path}.${name}`)]];
  });
  return Object.fromEntries(given) as Record<string, unknown>;
}

function read(shape: Shape, value: unknown, path: string): unknown {
  if (shape === "String" || shape === "Blob") return readText(shape, value, path);
  if (shape === "Integer") return readInteger(value, path);
  if ("members" in shape) return readMembers(shape.members, value, path);
  if ("list" in shape) {
    if (!Array.isArray(value)) throw misshapen(path, value, "a list");
    return value.map((element, at) => read(shape.list, element, `${path}[${at}]`));
  }
  if (!isMembers(value)) throw misshapen(path, value, "a map");
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, read(shape.map, member, `${path}.${name}`)]),
  );
}

function readText(shape: "String" | "Blob", value: unknown, path: string): string {
  if (typeof value !== "string") throw misshapen(path, value, `a ${shape}`);
  if (shape === "String" || BASE64.test(value)) return value;
  throw new SqsError("SerializationException", `${path} is not Base64`);
}

function readInteger(value: unknown, path: string): number {
  if (Number.isInteger(value) && Math.abs(value as number) <= INTEGER_MAX) return value as number;
  throw misshapen(path, value, "an Integer");
}
