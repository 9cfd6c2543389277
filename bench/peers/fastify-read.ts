/** A program: the read of a sell order behind Fastify, through the document client. Prints its address. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import fastify from "fastify";

const [endpoint = "", tableName = ""] = process.argv.slice(2);
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  }),
);

const server = fastify();
server.get<{ Params: { id: string } }>("/sell-orders/:id", async (request, reply) => {
  const key = { partner_id: request.headers["x-partner"], order_id: request.params.id };
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
  );
  if (Item === undefined) return reply.code(404).send({ message: "Not found" });
  return reply.type("application/json").send(Item.doc);
});
console.log(await server.listen({ port: 0, host: "127.0.0.1" }));
