import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { JWK } from "jose";
import { checkRules } from "../../local/store/rules/check-rules.ts";
import { refusalAnswer, type StoreOperation, type StoreRequest } from "../../local/store/wire.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { trader } from "./signing.ts";
import { stageShapes } from "./table-shapes.ts";

/** The owner of every credential, tokens included. */
const OWNER = "business-1";

/** One item that reads as a credential, a switch that is on, a market, a list of markets, and a record of any table. */
const item = {
  id: { S: "record-1" },
  kind: { S: "ramp-key" },
  owner: { S: OWNER },
  scopes: { S: "passes.read trades.read" },
  created_key: { S: "001795554000000000#record-1" },
  request_key: { S: `${OWNER}#req-0002` },
  doc: { S: "{}" },
  version: { N: "1" },
  public_key: { S: trader.publicKeyHex },
  symbols: { SS: ["BTC-USD", "ETH-GBP"] },
  ...Object.fromEntries(["aid", "anm", "pc", "pn", "qc", "qn"].map((name) => [name, { S: name }])),
};

const CONDITION_FAILED: StoreError = { status: 400, name: "ConditionalCheckFailedException" };

const tables = stageShapes("test");

/** The members of a request to the store that are read. */
interface LookedAt {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Key?: Readonly<Record<string, { readonly S?: string }>>;
  readonly RequestItems?: Readonly<Record<string, { readonly ConsistentRead?: boolean }>>;
}

/**
 * A query of trades finds none, because a segment would have to be binary. No subject is blocked, so none has a row.
 */
function answerTo(action: string, tableName: string, id = ""): object {
  if (id.startsWith("subject#")) return { ConsumedCapacity: { TableName: tableName, CapacityUnits: 1 } };
  if (action === "BatchGetItem") return { Responses: { [tableName]: [item] } };
  // The buckets were full again long ago.
  const ConsumedCapacity = { TableName: tableName, CapacityUnits: 1 };
  if (action === "UpdateItem") return { Attributes: { x: { N: "1" } }, ConsumedCapacity };
  if (action === "BatchWriteItem") return { UnprocessedItems: {}, ConsumedCapacity: [ConsumedCapacity] };
  if (action === "PutItem") return { ConsumedCapacity };
  if (action === "Scan") return { Items: [item], ConsumedCapacity };
  if (action !== "Query") return { Item: item };
  return { Items: tableName.endsWith("-Trades") ? [] : [item], ConsumedCapacity };
}

/** A request as it came over the wire; names of headers are lower-case. */
export interface HeardRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An error of the service by its name, and the status that it comes with. */
export interface StoreError {
  readonly status: number;
  readonly name: string;
}

export interface StoreRecorder {
  readonly url: string;
  readonly jwksUrl: string;
  /** The kinds of call so far, in the words of a policy: action, table, index if any. */
  readonly calls: Set<string>;
  /** Every call in order, with the consistency of a read: `strongly` or `eventually`. */
  readonly log: string[];
  /** Every call in order, as it arrived. */
  readonly requests: StoreRequest[];
  /** Every request in order, as it came over the wire. */
  readonly heard: HeardRequest[];
  /** Which requests are answered with an error: none, until a test says so. */
  fails: (call: string, request: HeardRequest) => StoreError | undefined;
  /** Which requests are never answered: none, until a test says so. A fetch of the issuer's keys is `GET`. */
  swallows: (call: string, key: string) => boolean;
  /** Settles once the caller has given up every request that was swallowed. */
  givenUp(): Promise<unknown>;
  close(): void;
}

/**
 * Takes the place of DynamoDB and a token issuer: refuses the requests that DynamoDB would refuse, answers every read
 * with one item, and records every call.
 */
export async function recordStore(keys: readonly JWK[]): Promise<StoreRecorder> {
  const calls = new Set<string>();
  const log: string[] = [];
  const requests: StoreRequest[] = [];
  const heard: HeardRequest[] = [];
  const swallowed: Promise<unknown>[] = [];
  const swallows = (call: string, key: string, response: ServerResponse): boolean => {
    if (!recorder.swallows(call, key)) return false;
    swallowed.push(once(response, "close"));
    return true;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The SDK corrects its clock by that of an answer; a test has its own.
    response.sendDate = false;
    const { method = "", url: target = "", headers } = request;
    const body = await text(request);
    const wire = { method, path: target, headers: headers as Record<string, string>, body };
    heard.push(wire);
    if (method === "GET") {
      if (swallows("GET", "", response)) return;
      response.end(JSON.stringify({ keys }));
      return;
    }
    const input = JSON.parse(body) as StoreRequest["input"];
    const { RequestItems = {}, ...single } = input as LookedAt;
    const batch = Object.entries(RequestItems)[0];
    const { TableName = batch?.[0] ?? "", IndexName, Key } = single;
    const isConsistent = (batch?.[1] ?? single).ConsistentRead === true;
    const action = String(request.headers["x-amz-target"]).split(".").at(-1) as StoreOperation;
    requests.push({ operation: action, input });
    const refusal = checkRules({ operation: action, input, tables });
    if (refusal !== undefined) {
      response.statusCode = 400;
      response.end(JSON.stringify(refusalAnswer(refusal).body));
      return;
    }
    const call = `dynamodb:${action} on table/${TableName}${IndexName === undefined ? "" : `/index/${IndexName}`}`;
    response.setHeader("Content-Type", "application/x-amz-json-1.0");
    const isFirst = !calls.has(call);
    calls.add(call);
    log.push(action === "UpdateItem" ? call : `${call}, ${isConsistent ? "strongly" : "eventually"}`);
    if (swallows(call, Key?.id?.S ?? "", response)) return;
    // The first charge fails as if its item were gone, so that the function charges again.
    const isRefused = action === "UpdateItem" && isFirst;
    const error = recorder.fails(call, wire) ?? (isRefused ? CONDITION_FAILED : undefined);
    if (error !== undefined) {
      response.statusCode = error.status;
      response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${error.name}` }));
      return;
    }
    response.end(JSON.stringify(answerTo(action, TableName, Key?.id?.S)));
  };
  const server = createServer((request, response) => void answer(request, response));
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const recorder: StoreRecorder = {
    url,
    jwksUrl: `${url}/jwks.json`,
    calls,
    log,
    requests,
    heard,
    fails: () => undefined,
    swallows: () => false,
    givenUp: () => Promise.all(swallowed),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return recorder;
}
