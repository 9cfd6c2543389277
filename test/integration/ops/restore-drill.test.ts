import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { endpoints } from "../../../infra/endpoints.ts";
import { environmentOf } from "../../../infra/environment.ts";
import type { Stage } from "../../../infra/stage.ts";
import type { EndpointHandler } from "../../../lib/http/endpoint.ts";
import { createTables } from "../../../local/store/tables.ts";
import { buildProgram } from "../../../ops/program.ts";
import { nextTableName } from "../../../ops/restore/restore-plan.ts";
import { stageTables } from "../../../ops/store/local-tables.ts";
import { getEvent } from "../../support/bundle-runner.ts";
import { type Engine, startEngine } from "../../support/engine.ts";
import { temporaryDirectory } from "../../support/operator.ts";
import { testStage } from "../../support/test-stage.ts";
import { sellOrder } from "./records.ts";

const [LOST, LATER] = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW"] as const;

/** What the stage's file says, at each moment of the drill. */
let stage: Stage = testStage();
vi.mock("../../../ops/store/stage-file.ts", () => ({ readStageFile: () => stage }));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Makes a table with the records of another, as a restoration does. */
async function copyTable(client: DynamoDBClient, source: string, target: string): Promise<void> {
  const definition = stageTables("test").find(({ name }) => name === source);
  if (definition === undefined) throw new Error(`There is no table ${source}.`);
  await createTables(client, [{ ...definition, name: target }]);
  const { Items = [] } = await client.send(new ScanCommand({ TableName: source }));
  for (const Item of Items) await client.send(new PutItemCommand({ TableName: target, Item }));
}

/** Runs an operator's command on the stage. @returns the JSON that it printed. */
async function operate({ endpoint }: Engine, ...args: string[]): Promise<string> {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const printed = vi.spyOn(process.stdout, "write").mockClear();
  printed.mockImplementation((_, ...rest) => {
    rest.find((one) => typeof one === "function")?.();
    return true;
  });
  const where = ["--stage", "test", "--dynamodb-endpoint", endpoint];
  const program = await buildProgram();
  await program.parseAsync([...args, ...where], { from: "user" });
  return printed.mock.calls.map(([chunk]) => String(chunk)).join("");
}

/** Asks the deployed function for an order, after it was started anew in the environment of the stage. */
async function ask({ endpoint }: Engine, apiKey: string, orderId: string) {
  const deployed = endpoints.find(({ contract }) => contract.name === "get-sell-order");
  if (deployed === undefined) throw new Error("There is no such endpoint.");
  const environment = { ...environmentOf(stage, deployed), AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
  vi.resetModules();
  const { handler } = (await import("../../../functions/get-sell-order.ts")) as { handler: EndpointHandler };
  const event = getEvent(`/sell-orders/${orderId}`, { "x-api-key": apiKey }, { order_id: orderId });
  return handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context);
}

test("a restored table that the stage names is what functions and operators use, and the damaged one stays as it is", async () => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(console, "error").mockImplementation(() => {});
  await using directory = await temporaryDirectory();
  const engine = await startEngine("dynalite");
  try {
    const importOrder = async (id: string) => {
      const file = join(directory.path, `${id}.ndjson`);
      await writeFile(file, sellOrder(id, "service"));
      await operate(engine, "import", "sell-orders", "--partner", "acme", file, "--new");
    };
    const countIn = async (TableName: string) =>
      (await engine.client.send(new ScanCommand({ TableName }))).Count;
    stage = testStage();
    const { apiKey } = JSON.parse(
      await operate(engine, "keys", "create", "ramp", "--partner", "acme", "--json"),
    );
    await importOrder(LOST);
    const before = await ask(engine, apiKey, LOST);
    expect(before.statusCode).toBe(200);

    const damaged = stage.tables.SellOrders;
    const restored = nextTableName(stage, "SellOrders");
    await copyTable(engine.client, damaged, restored);
    const Key = { partner_id: { S: "acme" }, order_id: { S: LOST } };
    await engine.client.send(new DeleteItemCommand({ TableName: damaged, Key }));
    expect((await ask(engine, apiKey, LOST)).statusCode).toBe(404);

    stage = testStage({ tables: { SellOrders: restored } });
    expect((await ask(engine, apiKey, LOST)).body).toBe(before.body);
    await importOrder(LATER);
    expect((await ask(engine, apiKey, LATER)).statusCode).toBe(200);
    expect([await countIn(damaged), await countIn(restored)]).toEqual([0, 2]);
  } finally {
    await engine.close();
  }
});
