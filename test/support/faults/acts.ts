import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Act, sendWhole } from "./fault-proxy.ts";

/** A text in everything that is sent in place of an answer: no line of a log may repeat it. */
export const PLANTED = "planted-by-a-fault";

const JSON_TYPE = "application/x-amz-json-1.0";
const CHUNK = Buffer.alloc(65_536, " ");

/** The answer comes late. */
export const slow =
  (lateMs: number): Act =>
  async ({ pass, response }) => {
    const answer = await pass();
    await pause(lateMs);
    sendWhole(response, answer);
  };

/** Nothing comes, and the connection stays open. */
export const silent: Act = () => {};

/** Another text comes in place of the answer. */
export const given =
  (status: number, body: string, type = JSON_TYPE): Act =>
  ({ response }) =>
    response.writeHead(status, { "content-type": type }).end(body);

/** An error of a service of AWS, by its full name. */
const refusedBy = (status: number, type: string, members: object = {}): Act =>
  given(status, JSON.stringify({ __type: type, message: "by a fault", ...members }));

/** An error of DynamoDB, by its name. */
export const refused = (status: number, name: string, members: object = {}): Act =>
  refusedBy(status, `com.amazonaws.dynamodb.v20120810#${name}`, members);

/** An error of SQS, by its name. */
export const refusedByQueue = (status: number, name: string): Act =>
  refusedBy(status, `com.amazonaws.sqs#${name}`);

/** The exceptions by which DynamoDB throttles, and how each spells the member with the reasons. */
const REASONS_IN = {
  ThrottlingException: "throttlingReasons",
  ProvisionedThroughputExceededException: "ThrottlingReasons",
  RequestLimitExceeded: "ThrottlingReasons",
} as const;

/** A throttle as DynamoDB words it (API reference, ThrottlingReason). */
export const throttled = (name: keyof typeof REASONS_IN, reason: string): Act =>
  refused(400, name, {
    [REASONS_IN[name]]: [{ reason, resource: "arn:aws:dynamodb:eu-central-1:123456789012:table/any" }],
  });

/** A page of a proxy in place of an answer. */
export const webPage = (status: number): Act =>
  given(status, `<html><body>${PLANTED}</body></html>`, "text/html");

/** The connection is reset in place of an answer. */
export const resetBefore: Act = ({ socket }) => socket.resetAndDestroy();

/** Half of the body comes, and the connection ends. */
export const cut: Act = async ({ pass, socket, response }) => {
  const { status, headers, body } = await pass();
  response.writeHead(status, headers);
  response.write(body.subarray(0, body.length / 2), () => socket.destroy());
};

/** Half of the body comes, and then nothing. */
export const stalled: Act = async ({ pass, response }) => {
  const { status, headers, body } = await pass();
  response.writeHead(status, headers);
  response.write(body.subarray(0, body.length / 2));
};

/** The whole answer comes, and the connection that it came on is reset. */
export const resetAfter: Act = async ({ pass, socket, response }) => {
  const { status, headers, body } = await pass();
  response.writeHead(status, headers);
  response.end(body, () => setImmediate(() => socket.resetAndDestroy()));
};

/** Half of the text comes as if it were the whole. */
export const halved: Act = async ({ pass, response }) => {
  const { status, body } = await pass();
  response.writeHead(status, { "content-type": JSON_TYPE }).end(body.subarray(0, body.length / 2));
};

/** The answer and its checksum do not fit. */
export const wronglySummed: Act = async ({ pass, response }) => {
  const answer = await pass();
  const sum = Number(answer.headers["x-amz-crc32"]);
  sendWhole(response, {
    ...answer,
    headers: { ...answer.headers, "x-amz-crc32": String((sum + 1) % 2 ** 32) },
  });
};

/** SQS's answer says that it has taken another text. */
export const wronglyDigested: Act = async ({ pass, response }) => {
  const { status, body } = await pass();
  const other = body.toString().replaceAll(/("MD5OfMessageBody":")[0-9a-f]{4}/g, "$1beef");
  response.writeHead(status, { "content-type": JSON_TYPE }).end(other);
};

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => void response.once("drain", resolve));

/** An answer begins and never ends. */
export const endless: Act = async ({ response }) => {
  response.writeHead(200, { "content-type": JSON_TYPE });
  const closed = once(response, "close");
  while (!response.destroyed) if (!response.write(CHUNK)) await Promise.race([drained(response), closed]);
};
