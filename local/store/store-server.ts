import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { crc32 } from "node:zlib";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import { isOwnCaller, listenOn, wholeBody } from "../http/server.ts";
import { WRITES } from "./behaviour/touched-items.ts";
import { TARGET_PREFIX } from "./embedded-engine.ts";
import { authorize } from "./identity.ts";
import { type StoreCall, watchCall } from "./store-call.ts";
import { type FaultyIdentity, faultAnswer } from "./store-fault.ts";
import {
  AnswerLost,
  DROP_DELETED_TARGET,
  type Refusal,
  refusalAnswer,
  STORE_OPERATIONS,
  type StoreAnswer,
  type StoreHandler,
  type StoreInput,
  type StoreOperation,
} from "./wire.ts";

/** The size of the largest request that DynamoDB takes (developer guide, Constraints). */
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;
const FORBIDDEN = 403;

const operations: ReadonlySet<string> = new Set(STORE_OPERATIONS);

export interface StoreServerOptions {
  readonly handle: StoreHandler;
  /** The callers that are known from the start. */
  readonly identities: readonly FaultyIdentity[];
  /** Receives the errors of the store itself. */
  readonly report: (error: unknown) => void;
  /** Is told of each call with a session token before the call is answered. */
  readonly tell?: (call: StoreCall) => void;
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** Keeps the store's files, when the owner asks for it. */
  readonly upkeep?: StoreUpkeep | undefined;
}

/** What the owner of a store may ask for beyond DynamoDB's operations. */
interface StoreUpkeep {
  /** The owner's access key. */
  readonly accessKeyId: string;
  /** Removes from the files what was deleted or replaced. */
  readonly dropDeleted: () => Promise<void>;
}

export interface StoreServer {
  readonly endpoint: string;
  /** Makes a caller known, or replaces what is known of one, from the next request on. */
  admit(identity: FaultyIdentity): void;
  /** How many writes have come with an access key. */
  writesOf(accessKeyId: string): number;
  /** Refuses every request from now on, waiting ones included. Resolves when the waiting ones have their answers. */
  refuseAll(refusal: Refusal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves a store on a port of this machine, with DynamoDB's protocol. A request needs a known access key, and must not
 * be one that a web page can have sent.
 */
export async function startStoreServer({
  handle,
  identities,
  report,
  tell = () => {},
  clock = systemClock,
  upkeep,
}: StoreServerOptions): Promise<StoreServer> {
  const known = new Map(identities.map((identity) => [identity.accessKeyId, identity]));
  const writes = new Map<string, number>();
  const waiting = new Set<ServerResponse>();
  let final: StoreAnswer | undefined;
  const server = createServer((message, response) => {
    waiting.add(response);
    response.once("close", () => waiting.delete(response));
    const answered =
      final === undefined
        ? answer(message, { handle, known, writes, report, tell, clock, upkeep })
        : Promise.resolve(final);
    answered.then(
      (given) => send(response, given),
      // A lost answer reaches the caller as a connection that ends.
      () => response.destroy(),
    );
  });
  // Functions keep their connections, which must not be closed between two requests.
  server.keepAliveTimeout = 0;
  const { port, close } = await listenOn(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    admit: (identity) => void known.set(identity.accessKeyId, identity),
    writesOf: (accessKeyId) => writes.get(accessKeyId) ?? 0,
    refuseAll: async (refusal) => {
      final = refusalAnswer(refusal);
      const told = [...waiting].map((response) => once(response, "close"));
      for (const response of waiting) send(response, final);
      await Promise.all(told);
    },
    close,
  };
}

interface Reception {
  readonly handle: StoreHandler;
  readonly known: ReadonlyMap<string, FaultyIdentity>;
  /** How many writes have come, by access key. */
  readonly writes: Map<string, number>;
  readonly report: (error: unknown) => void;
  readonly tell: (call: StoreCall) => void;
  readonly clock: Clock;
  readonly upkeep: StoreUpkeep | undefined;
}

/** Reads a request's body only after its caller is known. Rejects when the connection is to be cut. */
async function answer(message: IncomingMessage, reception: Reception): Promise<StoreAnswer> {
  const { known, report } = reception;
  const stranger = strangerIn(message);
  if (stranger !== undefined) return forbidden(stranger);
  const identity = known.get(accessKeyOf(message) ?? "");
  if (identity === undefined) return forbidden(UNKNOWN_KEY);
  const body = await wholeBody(message, REQUEST_BYTES_MAX);
  if (body === undefined) return { status: 413, body: {} };
  try {
    return await answerKnown(message, body, identity, reception);
  } catch (error) {
    if (error instanceof AnswerLost) throw error;
    report(error);
    return STORE_FAULT;
  }
}

/** The answer to a fault of the store itself; `report` receives the error. */
const STORE_FAULT: StoreAnswer = {
  status: 500,
  body: {
    __type: "com.amazonaws.dynamodb.v20120810#InternalServerError",
    message: "The local store failed. The error is in the output of the process that runs the store.",
  },
};

async function answerKnown(
  message: IncomingMessage,
  body: Buffer,
  identity: FaultyIdentity,
  { handle, writes, tell, clock, upkeep }: Reception,
): Promise<StoreAnswer> {
  if (
    message.headers["x-amz-target"] === DROP_DELETED_TARGET &&
    identity.accessKeyId === upkeep?.accessKeyId
  ) {
    await upkeep?.dropDeleted();
    return { status: 200, body: {} };
  }
  const operation = operationOf(message);
  if (operation === undefined) return refusalAnswer({ code: "UnknownOperationException", message: UNSERVED });
  const input = parseInput(body);
  if (input === undefined) return refusalAnswer({ code: "SerializationException", message: "" });
  const request = { operation, input };
  const { fault, accessKeyId } = identity;
  if (WRITES.has(operation)) writes.set(accessKeyId, (writes.get(accessKeyId) ?? 0) + 1);
  const permitted: StoreHandler = async (asked) => {
    const faulty = fault && faultAnswer(fault, request, clock);
    if (faulty !== undefined) return faulty;
    const refusal = authorize(identity, request);
    return refusal === undefined ? await handle(asked) : refusalAnswer(refusal);
  };
  const session = message.headers["x-amz-security-token"];
  return typeof session === "string"
    ? await watchCall(permitted, request, session, tell)
    : await permitted(request);
}

const UNSERVED = `The local store takes ${STORE_OPERATIONS.join(", ")}.`;

const UNKNOWN_KEY: Refusal = {
  code: "UnrecognizedClientException",
  message:
    "The security token included in the request is invalid. The access key of this start is in the data directory's engine.json.",
};

const forbidden = (refusal: Refusal): StoreAnswer => ({ ...refusalAnswer(refusal), status: FORBIDDEN });

/** The refusal of a request that a web page may have sent, or that calls this machine by a foreign name. */
function strangerIn(message: IncomingMessage): Refusal | undefined {
  if (isOwnCaller(message)) return undefined;
  const text =
    "The local store answers only programs of this machine: send no Origin, and call it 127.0.0.1, [::1] or localhost.";
  return { code: "AccessDeniedException", message: text };
}

/** The access key in a signature of version 4. The signature itself is not checked, because the key is random. */
const accessKeyOf = ({ headers }: IncomingMessage): string | undefined =>
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\//.exec(headers.authorization ?? "")?.[1];

function operationOf({ method, headers }: IncomingMessage): StoreOperation | undefined {
  const target = String(headers["x-amz-target"] ?? "");
  const name = target.startsWith(TARGET_PREFIX) ? target.slice(TARGET_PREFIX.length) : "";
  return method === "POST" && operations.has(name) ? (name as StoreOperation) : undefined;
}

function parseInput(body: Buffer): StoreInput | undefined {
  const value = parsedJson(body.toString());
  if (!isMembers(value)) return undefined;
  // DynamoDB treats a null member as absent. It is left out here, so that no layer meets one.
  const hasNull = Object.values(value).includes(null);
  return hasNull ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;
}

/** Sends an answer, unless one was sent already. */
function send(response: ServerResponse, { status, body }: StoreAnswer): void {
  if (response.headersSent) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "content-length": Buffer.byteLength(text),
    "x-amz-crc32": crc32(text),
    "x-amzn-requestid": randomUUID(),
  });
  // As text: Node.js then writes it and the headers at once.
  response.end(text);
}
