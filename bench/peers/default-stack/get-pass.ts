import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { z } from "zod";
import { PEER_TABLES } from "../peer-tables.ts";
import { answer, client, countRequest, guarded } from "./parts.ts";
import { subjectOf } from "./subject.ts";

const parameters = z.object({ partner_reference: z.string().min(1).max(128) });

export const handler = guarded(async (event) => {
  const owner = await subjectOf(event);
  const { partner_reference } = parameters.parse(event.pathParameters);
  await countRequest(owner);
  const { Item } = await client.send(
    new GetCommand({ TableName: PEER_TABLES.passes, Key: { partner_reference }, ConsistentRead: true }),
  );
  if (Item === undefined) return answer(404, { message: "Not found" });
  const { template_id: _template, ...pass } = Item;
  const etag = `"${createHash("sha256").update(JSON.stringify(pass)).digest("base64url")}"`;
  return event.headers["if-none-match"] === etag ? { statusCode: 304 } : answer(200, pass);
});
