/**
 * A program that takes the place of DynamoDB and of the queue for rejected records, in a process of its own so that its time is
 * not counted. It reads fixed answers from its parent's first message and tells its addresses. Each further message says which
 * fault of the tables in `test/support/faults/` is on from now on, or that none is.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type FaultProxy, startFaultProxy } from "../../test/support/faults/fault-proxy.ts";
import { queueFaults } from "../../test/support/faults/queue-faults.ts";
import { isFor, type Part, storeFaults } from "../../test/support/faults/store-faults.ts";

/** What is wrong from now on: one of a table's faults, by its place there. */
export interface FaultOn {
  readonly of: "store" | "queue";
  readonly at: number;
  /** The part of the store that the fault is in; the whole of it by default. */
  readonly part?: Part;
}

/** By `<action> <table>`, or by that and a space and the item's id; by `GET` the issuer's key set. */
export type Answers = Readonly<Record<string, string>>;

/** Where functions find what may fail, and the issuer, which does not. */
export interface Addresses {
  readonly store: string;
  readonly queue: string;
  readonly issuer: string;
}

interface Asked {
  readonly TableName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly Key?: { readonly id?: { readonly S?: string } };
  readonly Entries?: readonly { readonly Id: string; readonly MessageBody: string }[];
}

/** Answers that prove a write, or a read that found nothing. */
const BATCH_PROOF = '{"UnprocessedItems":{},"ConsumedCapacity":[{"TableName":"any","CapacityUnits":1}]}';
const PROOF = '{"Items":[],"Count":0,"ConsumedCapacity":{"TableName":"any","CapacityUnits":1}}';

/** SQS takes every message; the SDK compares the digests of what it has sent. */
const taken = (entries: NonNullable<Asked["Entries"]>): string => {
  const digestOf = (text: string): string => createHash("md5").update(text).digest("hex");
  const Successful = entries.map(({ Id, MessageBody }) => ({
    Id,
    MessageId: Id,
    MD5OfMessageBody: digestOf(MessageBody),
  }));
  return JSON.stringify({ Successful, Failed: [] });
};

function answerTo(action: string, asked: Asked, answers: Answers): string {
  if (asked.Entries !== undefined) return taken(asked.Entries);
  const question = `${action} ${asked.TableName ?? Object.keys(asked.RequestItems ?? {})[0]}`;
  const proof = action === "BatchWriteItem" ? BATCH_PROOF : PROOF;
  return answers[`${question} ${asked.Key?.id?.S}`] ?? answers[question] ?? proof;
}

async function listen(answers: Answers): Promise<string> {
  const textFor = async (request: IncomingMessage): Promise<string> => {
    if (request.method === "GET") return answers.GET ?? "";
    const action = String(request.headers["x-amz-target"]).split(".").at(-1) ?? "";
    return answerTo(action, (await json(request)) as Asked, answers);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.from(await textFor(request));
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": body.length });
    response.end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Keeps a fault on until `off` is called, and resolves then. */
function keepOn({ of, at, part = "whole" }: FaultOn, proxies: Readonly<Record<FaultOn["of"], FaultProxy>>) {
  const off = Promise.withResolvers<void>();
  const { act } = (of === "store" ? storeFaults[at] : queueFaults[at]) ?? {};
  if (act === undefined) throw new RangeError(`There is no fault ${at} of the ${of}.`);
  const done = proxies[of].under(
    act,
    () => off.promise,
    (heard) => of === "queue" || isFor(part, heard),
  );
  return () => {
    off.resolve();
    return done;
  };
}

const tell = (message: object): void => void process.send?.(message);

async function serve(answers: Answers): Promise<void> {
  const target = await listen(answers);
  const [store, queue] = await Promise.all([startFaultProxy(target), startFaultProxy(target)]);
  let end = async (): Promise<void> => {};
  const change = async (fault: FaultOn | null): Promise<void> => {
    await end();
    end = fault === null ? async () => {} : keepOn(fault, { store, queue });
    tell({});
  };
  process.on("message", ({ fault }: { readonly fault: FaultOn | null }) => void change(fault));
  tell({ store: store.url, queue: queue.url, issuer: target } satisfies Addresses);
}

process.once("message", (answers: Answers) => void serve(answers));
// The parent may be ended before it ends this program.
process.once("disconnect", () => process.exit());
