import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { z } from "zod";
import { PEER_TABLES } from "../peer-tables.ts";
import { answer, client, countRequest, findKey, guarded } from "./parts.ts";

const parameters = z.object({ order_id: z.union([z.guid(), z.ulid()]) });

export const handler = guarded(async (event) => {
  const hash = createHash("sha256")
    .update(event.headers["x-api-key"] ?? "")
    .digest("hex");
  const key = await findKey(hash);
  if (key === undefined) return answer(401, { message: "Unauthorized" });
  const { order_id } = parameters.parse(event.pathParameters);
  await countRequest(key.owner);
  const { Item } = await client.send(
    new GetCommand({ TableName: PEER_TABLES.sellOrders, Key: { partner_id: key.owner, order_id } }),
  );
  return Item === undefined ? answer(404, { message: "Not found" }) : answer(200, Item);
});
