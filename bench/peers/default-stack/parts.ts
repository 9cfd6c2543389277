import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { PEER_TABLES } from "../peer-tables.ts";

/** The parts of the default stack, which is written as many services are, with whole libraries. */
export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

export const answer = (statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** Turns any error into a 500, as a catch-all around a handler does. */
export const guarded =
  (handler: Handler): Handler =>
  async (event) => {
    try {
      return await handler(event);
    } catch (error) {
      console.error(error);
      return answer(500, { message: "Internal server error" });
    }
  };

/** Adds one point to a counter, as simple limiters do. */
export async function countRequest(owner: string): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: PEER_TABLES.limits,
      Key: { key: owner },
      UpdateExpression: "ADD points :one",
      ExpressionAttributeValues: { ":one": 1 },
      ReturnValues: "ALL_NEW",
    }),
  );
}

export async function findKey(id: string): Promise<{ owner: string; publicKey: string } | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: PEER_TABLES.keys, Key: { id } }));
  return Item === undefined ? undefined : { owner: Item.owner, publicKey: Item.public_key };
}
