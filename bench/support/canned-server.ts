/**
 * A program that takes the place of DynamoDB and of a token issuer, over TLS on loopback, in a process of its own so
 * that its time is not counted. It reads fixed answers from standard input, prints its origin, and sends the answers as
 * fast as it can.
 */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { ISSUER_PLACE } from "./issuer-place.ts";

interface Instructions {
  readonly certificate: string;
  readonly key: string;
  /** By `<action> <table>`, or by that and a space and the item's id or the sort key that a query begins after. */
  readonly answers: Readonly<Record<string, string>>;
  readonly keySet: string;
}

interface Asked {
  readonly TableName: string;
  readonly Key?: { readonly id?: { readonly S?: string } };
  readonly ExclusiveStartKey?: { readonly sk?: { readonly B?: string } };
}

const { certificate, key, answers, keySet } = (await json(process.stdin)) as Instructions;
const bodies = new Map<string, Buffer>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") {
    response.end(keySet);
    return;
  }
  const asked = (await json(request)) as Asked;
  const action = String(request.headers["x-amz-target"]).split(".").at(-1);
  const question = `${action} ${asked.TableName}`;
  const exactly = asked.Key?.id?.S ?? asked.ExclusiveStartKey?.sk?.B;
  const body = bodies.get(`${question} ${exactly}`) ?? bodies.get(question);
  if (body === undefined) {
    response.writeHead(500).end(`{"__type":"NotCanned","message":${JSON.stringify(question)}}`);
    return;
  }
  response.writeHead(200, { "Content-Type": "application/x-amz-json-1.0", "Content-Length": body.length });
  response.end(body);
}

const server = createServer(
  { cert: certificate, key },
  (request, response) => void answer(request, response),
);
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
for (const [question, body] of Object.entries(answers))
  bodies.set(question.replace(ISSUER_PLACE, origin), Buffer.from(body.replace(ISSUER_PLACE, origin)));
console.log(origin);
