import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
import { ownerIdentity } from "../../local/store/identity.ts";
import { startStoreServer } from "../../local/store/store-server.ts";

const KEY = "ASIAKEY";

it("a store that cannot write any more says so to waiting callers, and to all later ones", async () => {
  const { promise: never } = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const server = await startStoreServer({
    handle: () => {
      asked.resolve();
      return never;
    },
    identities: [ownerIdentity(KEY)],
    report: () => {},
  });
  const credentials = { accessKeyId: KEY, secretAccessKey: KEY };
  const client = new DynamoDBClient({ endpoint: server.endpoint, region: "local", credentials });
  try {
    const waiting = client.send(new ListTablesCommand({})).catch((error: unknown) => error);
    await asked.promise;
    await server.refuseAll({ code: "LocalDiskFullException", message: "The disk is full." });
    const told = { name: "LocalDiskFullException", message: "The disk is full." };
    expect(await waiting).toMatchObject(told);
    await expect(client.send(new ListTablesCommand({}))).rejects.toMatchObject(told);
  } finally {
    client.destroy();
    await server.close();
  }
});
