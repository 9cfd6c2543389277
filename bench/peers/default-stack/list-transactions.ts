import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { z } from "zod";
import { PEER_TABLES } from "../peer-tables.ts";
import { answer, client, countRequest, guarded } from "./parts.ts";
import { subjectOf } from "./subject.ts";

const parameters = z.object({
  to: z.iso.datetime(),
  from: z.iso.datetime().optional(),
  count: z.coerce.number().int().min(1).max(1_000).default(100),
});

export const handler = guarded(async (event) => {
  const owner = await subjectOf(event);
  const { from = "", to, count } = parameters.parse(event.queryStringParameters);
  await countRequest(owner);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: PEER_TABLES.transactions,
      IndexName: "by-created",
      KeyConditionExpression: "business_id = :owner AND created_at BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":owner": owner, ":from": from, ":to": to },
      ScanIndexForward: false,
      Limit: count,
    }),
  );
  return answer(200, Items);
});
