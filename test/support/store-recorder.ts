import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { JWK } from "jose";
import { trader } from "./signing.ts";

/** A segment of trades is binary; a page without any is what a function can ask for as well. */
const isOfTrades = (call: string): boolean => call.endsWith("-Trades");

/** One item that reads as a credential, a switch that is on, a market, and a record of any table. */
const item = {
  id: { S: "record-1" },
  kind: { S: "ramp-key" },
  owner: { S: "owner-1" },
  scopes: { S: "trades.read" },
  created_key: { S: "001795554000000000#record-1" },
  doc: { S: "{}" },
  public_key: { S: trader.publicKeyHex },
  ...Object.fromEntries(["aid", "anm", "pc", "pn", "qc", "qn"].map((name) => [name, { S: name }])),
};

const CONDITION_FAILED = "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException";

export interface StoreRecorder {
  readonly url: string;
  readonly jwksUrl: string;
  /** What was asked of the store so far, in the words of a policy: action, table, index if any. */
  readonly calls: Set<string>;
  /** Every call in its order, with how a read was made: `strongly` or `eventually`. */
  readonly log: string[];
  close(): void;
}

interface Asked {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Key?: { readonly id?: { readonly S?: string } };
}

/**
 * Stands where DynamoDB and a token issuer would: answers every read with one item, and notes what each asked for. An
 * emulator would ask for no permission, so it cannot tell whether a function has the ones that it needs.
 */
export async function recordStore(keys: readonly JWK[]): Promise<StoreRecorder> {
  const calls = new Set<string>();
  const log: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      response.end(JSON.stringify({ keys }));
      return;
    }
    const { TableName, IndexName, ConsistentRead, Key } = (await json(request)) as Asked;
    const action = String(request.headers["x-amz-target"]).split(".").at(-1);
    const call = `dynamodb:${action} on table/${TableName}${IndexName === undefined ? "" : `/index/${IndexName}`}`;
    response.setHeader("Content-Type", "application/x-amz-json-1.0");
    const isFirst = !calls.has(call);
    calls.add(call);
    log.push(
      action === "UpdateItem" ? call : `${call}, ${ConsistentRead === true ? "strongly" : "eventually"}`,
    );
    if (action === "UpdateItem" && isFirst) {
      // A first charge that guessed wrong, of an item that is gone meanwhile: the function reads, and charges again.
      response.statusCode = 400;
      response.end(JSON.stringify({ __type: CONDITION_FAILED }));
      return;
    }
    // No subject is revoked, so none has a row.
    const found = Key?.id?.S?.startsWith("subject#") ? {} : { Item: item };
    response.end(JSON.stringify(action === "Query" ? { Items: isOfTrades(call) ? [] : [item] } : found));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    jwksUrl: `${url}/jwks.json`,
    calls,
    log,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
