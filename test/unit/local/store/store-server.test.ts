import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLocalClient } from "../../../../local/store/engine.ts";
import { ownerIdentity } from "../../../../local/store/identity.ts";
import { startStoreServer } from "../../../../local/store/store-server.ts";
import { AnswerLost, type StoreHandler } from "../../../../local/store/wire.ts";

/** A server in front of a handler, what it reports, and a request to it, which is sent once. */
async function serve(handle: StoreHandler) {
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const server = await startStoreServer({ handle, identities: [ownerIdentity("key")], report });
  const client = createLocalClient({ endpoint: server.endpoint, accessKeyId: "key" });
  client.config.maxAttempts = async () => 1;
  onTestFinished(async () => {
    client.destroy();
    await server.close();
  });
  const ask = (): Promise<unknown> =>
    client
      .send(new GetItemCommand({ TableName: "t", Key: { id: { S: "x" } } }))
      .catch((error: unknown) => error);
  return { server, ask, reported };
}

const failing = (error: unknown): StoreHandler =>
  async function fail() {
    throw error;
  };

describe("a store that fails", () => {
  it("answers 500 without the error, which is reported", async () => {
    for (const fault of [
      new TypeError("inside"),
      Object.assign(new Error("inside"), { code: "ERR_INVALID_ARG_TYPE" }),
    ]) {
      const { ask, reported } = await serve(failing(fault));
      const asked = await ask();
      expect(asked).toMatchObject({ name: "InternalServerError", $metadata: { httpStatusCode: 500 } });
      expect(String(asked)).not.toContain("inside");
      expect(reported).toContain(fault);
    }
  });

  it("cuts the connection for a lost answer", async () => {
    const { ask, reported } = await serve(failing(new AnswerLost("on purpose")));
    expect(await ask()).toMatchObject({ code: "ECONNRESET" });
    expect(reported).toEqual([]);
  });
});

it("a store that cannot write any more says so to waiting callers, and to all later ones", async () => {
  const begun = Promise.withResolvers<void>();
  const { server, ask } = await serve(() => {
    begun.resolve();
    return new Promise(() => {});
  });
  const waiting = ask();
  await begun.promise;
  const told = { code: "LocalDiskFullException", message: "The disk is full." };
  await server.refuseAll(told);
  for (const answer of [await waiting, await ask()])
    expect(answer).toMatchObject({ name: told.code, message: told.message });
});
