import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { z } from "zod";
import { PEER_TABLES } from "../peer-tables.ts";
import { answer, client, countRequest, guarded } from "./parts.ts";
import { subjectOf } from "./subject.ts";

const parameters = z.object({ id: z.string().min(1).max(128) });

export const handler = guarded(async (event) => {
  const owner = await subjectOf(event);
  const { id } = parameters.parse(event.pathParameters);
  await countRequest(owner);
  const key = { business_id: owner, id };
  const { Item } = await client.send(
    new GetCommand({ TableName: PEER_TABLES.transactions, Key: key, ConsistentRead: true }),
  );
  return Item === undefined ? answer(404, { message: "Not found" }) : answer(200, Item);
});
