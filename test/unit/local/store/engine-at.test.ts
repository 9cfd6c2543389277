import { createServer, type Server, type Socket } from "node:net";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { engineAt } from "../../../../local/store/engine-at.ts";
import { AnswerLost, STORE_OPERATIONS, type StoreOperation } from "../../../../local/store/wire.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";

const BODY = '{"Item":{"id":{"S":"1"}}}';
const SUM = crc32(BODY);

/** An answer on the wire. */
const wire = (body: string, headers: Readonly<Record<string, unknown>> = {}, status = 200): string =>
  [
    `HTTP/1.1 ${status} X`,
    ...Object.entries({ "content-length": body.length, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    "",
    body,
  ].join("\r\n");

const RIGHT = wire(BODY, { "x-amz-crc32": SUM });

/** An engine that gives these answers one after the other; undefined for a reset in place of one. */
async function engine(...answers: readonly (string | undefined)[]) {
  const sockets: Socket[] = [];
  let asked = 0;
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (answer === undefined) socket.resetAndDestroy();
      else if (answer.endsWith("…")) socket.end(answer.slice(0, -1));
      else socket.write(answer);
    });
  });
  const { handle, close } = engineAt(`http://127.0.0.1:${await listenOnLoopback(server)}`);
  onTestFinished(async () => {
    await close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    ask: (operation: StoreOperation) => handle({ operation, input: {} }),
    asked: () => asked,
    sockets,
  };
}

/** Answers that did not arrive as they were sent. */
const LOST = {
  "a byte that is another": RIGHT.replace('"Item"', '"Itfm"'),
  "a byte that is another, in a refusal": wire('{"__type":"x"}', { "x-amz-crc32": SUM }, 400),
  "a checksum that is not a number": wire(BODY, { "x-amz-crc32": "x" }),
  "a part of the body": `${RIGHT.slice(0, -3)}…`,
  "a head that cannot be read": RIGHT.replace("HTTP", "HTFP"),
  "a reset": undefined,
};
const lost = Object.entries(LOST);

const WRITES = ["BatchWriteItem", "CreateTable", "DeleteItem", "DeleteTable", "PutItem", "UpdateItem"];
const changes = (operation: StoreOperation): boolean =>
  WRITES.includes(operation) || operation === "UpdateTimeToLive";

test.each(lost)("a read is repeated twice after %s, and never answered by it", async (_, answer) => {
  for (const answers of [
    [answer, RIGHT],
    [answer, answer, RIGHT],
  ]) {
    const { ask, asked } = await engine(...answers);
    expect(await ask("GetItem")).toEqual({ status: 200, body: JSON.parse(BODY) });
    expect(asked()).toBe(answers.length);
  }
  const { ask, asked } = await engine(answer);
  await expect(ask("GetItem")).rejects.toThrow(AnswerLost);
  expect(asked()).toBe(3);
});

test.each(lost)(
  "what may have changed something is lost with %s, for its caller to decide",
  async (_, answer) => {
    for (const operation of STORE_OPERATIONS.filter(changes)) {
      const { ask, asked } = await engine(answer, RIGHT);
      await expect(ask(operation)).rejects.toThrow(AnswerLost);
      expect(asked()).toBe(1);
    }
  },
);

test("every operation that changes nothing is repeated", async () => {
  for (const operation of STORE_OPERATIONS.filter((name) => !changes(name))) {
    const { ask } = await engine(undefined, RIGHT);
    expect((await ask(operation)).status).toBe(200);
  }
});

test.each([
  ["without a checksum", wire(BODY), 200],
  ["that refuses", wire(BODY, { "x-amz-crc32": SUM }, 400), 400],
  ["that throttles, which functions repeat", wire(BODY, {}, 503), 503],
])("an answer %s is passed on as it is, at the first time", async (_, answer, status) => {
  const { ask, asked } = await engine(answer);
  expect(await ask("Query")).toEqual({ status, body: JSON.parse(BODY) });
  expect(asked()).toBe(1);
});

test("connections are kept, and dropped when one is dead, so that a repetition begins a new one", async () => {
  const { ask, sockets } = await engine(RIGHT, RIGHT, undefined, RIGHT);
  await Promise.all([ask("GetItem"), ask("GetItem")]);
  expect(sockets).toHaveLength(2);
  expect(await ask("GetItem")).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(3);
  await ask("GetItem");
  expect(sockets).toHaveLength(3);
});
