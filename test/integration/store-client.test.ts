import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { crc32 } from "node:zlib";
import * as sdk from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as standIn from "../../infra/bundling/store-client.ts";
import { WholeAnswers } from "../../lib/dynamo/whole-answers.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const ITEM = JSON.stringify({ Item: { id: { S: "record-1" } } });

const whole: Answer = (response) => void response.end(ITEM);
const cut: Answer = (response) => {
  response.writeHead(200, { "Content-Length": ITEM.length });
  response.write(ITEM.slice(0, 10), () => response.destroy());
};
const stalled: Answer = (response) => {
  response.writeHead(200, { "Content-Length": ITEM.length });
  response.write(ITEM.slice(0, 10));
};
const reset: Answer = (_, request) => void request.socket.resetAndDestroy();
const silent: Answer = () => {};
/** A character of four bytes in two pieces of the body. */
const inPieces: Answer = (response) => {
  const body = Buffer.from(JSON.stringify({ Item: { id: { S: "𝔸" } } }));
  const within = body.indexOf(Buffer.from("𝔸")) + 2;
  response.write(body.subarray(0, within), () => void response.end(body.subarray(within)));
};

/** An answer with the checksum of itself, or of something else. */
const summed =
  (of: string, answer = ITEM): Answer =>
  (response) =>
    void response.writeHead(200, { "x-amz-crc32": crc32(of) }).end(answer);
/** An answer of this many bytes, in which everything after the item is space. */
const long =
  (bytes: number): Answer =>
  (response) =>
    void response.end(ITEM.padEnd(bytes));

const throttled: Answer = (response) =>
  void response
    .writeHead(400)
    .end(JSON.stringify({ __type: "com.amazonaws.dynamodb.v20120810#ThrottlingException" }));

beforeEach(() => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key-id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
  // The pauses between attempts are random: this is none.
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** What gives each call up, the last one's last. */
const controllers: AbortController[] = [];

const waitingFor = (ms: number) => ({
  connectionTimeout: ms,
  requestTimeout: ms,
  socketTimeout: ms,
  throwOnRequestTimeout: true,
});
/** How long a client waits for a store that falls silent, and for one that does not, however busy the machine is. */
const [SILENCE_MS, PATIENCE_MS] = [500, 30_000];
const question = { TableName: "any", Key: { id: { S: "record-1" } } };

/** The SDK's client as it is published, with our handler of requests, and the client that stands in for it. */
type Client = "sdk" | "sdk with whole answers" | "standIn";

/** What one of the clients gets from a store that gives these answers, the last one for good. */
async function call(client: Client, answers: readonly Answer[], abortAt?: number) {
  const giveUp = new AbortController();
  controllers.push(giveUp);
  let requests = 0;
  if (abortAt === 0) giveUp.abort();
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests, answers.length - 1)];
    requests += 1;
    if (requests === abortAt) giveUp.abort();
    else answer?.(response, request);
  });
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${await listenOnLoopback(server)}`);
  const isSilent = answers.includes(silent) || answers.includes(stalled);
  const waits = waitingFor(isSilent ? SILENCE_MS : PATIENCE_MS);
  const whole = { maxAttempts: 3, requestHandler: new WholeAnswers(waits) };
  const settings = client === "sdk" ? { ...whole, requestHandler: waits } : whole;
  const options = { abortSignal: giveUp.signal };
  const sent =
    client === "standIn"
      ? new standIn.DynamoDBClient(whole).send(new standIn.GetItemCommand(question), options)
      : new sdk.DynamoDBClient(settings).send(new sdk.GetItemCommand(question), options);
  const heard = await sent.then(
    (answer) => ("Item" in answer ? answer.Item : undefined),
    ({ name, code }: NodeJS.ErrnoException) => ({ name, code }),
  );
  server.closeAllConnections();
  server.close();
  return { heard, requests };
}

describe("over connections, the client that stands in for the SDK's does as the SDK does", () => {
  test.each<[what: string, answers: readonly Answer[], requests: number]>([
    ["an answer comes", [whole], 1],
    ["an answer comes in pieces", [inPieces], 1],
    ["two answers are cut in their body", [cut, cut, whole], 3],
    ["two connections are reset", [reset, reset, whole], 3],
    ["the store is silent once", [silent, whole], 2],
    ["every answer is cut", [cut], 3],
    ["every connection is reset", [reset], 3],
    ["the store is silent for good", [silent], 3],
    ["the store falls silent within an answer", [stalled, whole], 2],
    ["the store falls silent within every answer", [stalled], 3],
  ])("when %s", async (_, answers, requests) => {
    const ours = await call("standIn", answers);
    expect(ours).toEqual(await call("sdk", answers));
    // Before an answer begins, the handler is the SDK's own.
    if (!answers.includes(silent)) expect(ours).toEqual(await call("sdk with whole answers", answers));
    expect(ours.requests).toBe(requests);
  });

  test.each([
    ["before the call", 0],
    ["while the store is silent", 1],
    ["in a second attempt", 2],
  ])("when it is given up %s", async (_, abortAt) => {
    const ours = await call("standIn", [reset], abortAt);
    expect(ours).toEqual(await call("sdk", [reset], abortAt));
    expect(ours).toMatchObject({ heard: { name: "AbortError" }, requests: abortAt });
  });

  test("when it is given up in a pause between two attempts", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.99);
    const start = globalThis.setTimeout;
    const startTimer = (go: () => void, afterMs: number) => {
      // The pause after a throttle. Here it ends with the call alone.
      if (afterMs !== 990) return start(go, afterMs);
      setImmediate(() => controllers.at(-1)?.abort());
      return start(go, 2 ** 30).unref();
    };
    vi.spyOn(globalThis, "setTimeout").mockImplementation(startTimer as typeof setTimeout);
    const ours = await call("standIn", [throttled]);
    expect(ours).toEqual(await call("sdk", [throttled]));
    expect(ours).toMatchObject({ heard: { name: "AbortError" }, requests: 1 });
  });
});

const found = { id: { S: "record-1" } };

describe.each(["standIn", "sdk with whole answers"] as const)("the client of a function (%s)", (client) => {
  const kibibytes = 16 * 1024;
  test.each([ITEM.length, kibibytes, kibibytes + 1])(
    "takes an answer of %d bytes that its checksum fits, and asks again for one that it does not fit",
    async (length) => {
      const item = ITEM.padEnd(length);
      const right = summed(item, item);
      const wrong = summed("other", item);
      expect(await call(client, [right])).toEqual({ heard: found, requests: 1 });
      expect(await call(client, [wrong, right])).toEqual({ heard: found, requests: 2 });
      expect(await call(client, [wrong])).toMatchObject({
        heard: { name: "UnusableAnswer" },
        requests: 3,
      });
    },
  );

  test("takes an answer of 8 MiB, reads no more of a longer one, and does not ask for that again", async () => {
    const refused = { heard: { name: "UnusableAnswer" }, requests: 1 };
    const mebibytes = 8 * 1024 * 1024;
    expect(await call(client, [long(mebibytes)])).toEqual({ heard: found, requests: 1 });
    expect(await call(client, [long(mebibytes + 1)])).toMatchObject(refused);
    const endless: Answer = (response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536, " "), more));
      more();
    };
    expect(await call(client, [endless])).toMatchObject(refused);
  });
});
