import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { verifyAsync } from "@noble/ed25519";
import { z } from "zod";
import { PEER_TABLES } from "../peer-tables.ts";
import { answer, client, countRequest, findKey, guarded } from "./parts.ts";

const parameters = z.object({
  start_date: z.coerce.number().int().nonnegative(),
  end_date: z.coerce.number().int().nonnegative(),
  limit: z.coerce.number().int().min(1).max(1_900).default(1_900),
});

export const handler = guarded(async (event) => {
  const headers = Object.fromEntries(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value ?? ""]),
  );
  const key = await findKey(headers["x-svc-api-key"] ?? "");
  if (key === undefined) return answer(401, { message: "Unauthorized" });
  const { method } = event.requestContext.http;
  const text = `${headers["x-svc-timestamp"]}${method}${event.rawPath}${event.rawQueryString}`;
  const signature = Buffer.from(headers["x-svc-signature"] ?? "", "base64");
  const isGenuine = await verifyAsync(signature, Buffer.from(text), Buffer.from(key.publicKey, "hex"));
  if (!isGenuine) return answer(401, { message: "Unauthorized" });
  const { start_date, end_date, limit } = parameters.parse(
    event.queryStringParameters ?? Object.fromEntries(new URLSearchParams(event.rawQueryString)),
  );
  await countRequest(key.owner);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: PEER_TABLES.trades,
      KeyConditionExpression: "symbol = :symbol AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":symbol": event.pathParameters?.symbol,
        ":from": `${start_date}`,
        ":to": `${end_date}#g`,
      },
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return answer(200, { data: Items, metadata: { timestamp: Date.now() } });
});
