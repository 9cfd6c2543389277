import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, it } from "vitest";
import { createLocalClient } from "../../../../local/store/engine.ts";
import { ownerIdentity } from "../../../../local/store/identity.ts";
import { type StoreServer, startStoreServer } from "../../../../local/store/store-server.ts";
import { AnswerLost, type StoreHandler } from "../../../../local/store/wire.ts";

const running: StoreServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

/** Sends one request to a server in front of a handler. */
async function askOf(handle: StoreHandler) {
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const server = await startStoreServer({ handle, identities: [ownerIdentity("key")], report });
  running.push(server);
  const client = createLocalClient({ endpoint: server.endpoint, accessKeyId: "key" });
  client.config.maxAttempts = async () => 1;
  const asked = await client
    .send(new GetItemCommand({ TableName: "t", Key: { id: { S: "x" } } }))
    .catch((error: unknown) => error);
  client.destroy();
  return { asked, reported };
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
      const { asked, reported } = await askOf(failing(fault));
      expect(asked).toMatchObject({ name: "InternalServerError", $metadata: { httpStatusCode: 500 } });
      expect(String(asked)).not.toContain("inside");
      expect(reported).toContain(fault);
    }
  });

  it("cuts the connection for a lost answer", async () => {
    const { asked, reported } = await askOf(failing(new AnswerLost("on purpose")));
    expect(asked).toMatchObject({ code: "ECONNRESET" });
    expect(reported).toEqual([]);
  });
});
