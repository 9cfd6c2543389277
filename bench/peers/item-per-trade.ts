import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { PEER_TABLES } from "./peer-tables.ts";

/** A page of trades read the usual way: an item for each trade, the document client, `JSON.stringify`. */
export function itemPerTrade() {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  return async (symbol: string, startMs: number, endMs: number, limit: number): Promise<string> => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: PEER_TABLES.trades,
        KeyConditionExpression: "#symbol = :symbol AND #sk BETWEEN :from AND :to",
        ExpressionAttributeNames: { "#symbol": "symbol", "#sk": "sk" },
        ExpressionAttributeValues: { ":symbol": symbol, ":from": `${startMs}`, ":to": `${endMs}#g` },
        ScanIndexForward: false,
        Limit: limit,
      }),
    );
    const data = Items.map(({ symbol: _symbol, sk: _sk, ...record }) => record);
    const next =
      LastEvaluatedKey === undefined
        ? undefined
        : Buffer.from(JSON.stringify(LastEvaluatedKey)).toString("base64url");
    return JSON.stringify({ data, metadata: { timestamp: Date.now(), next_cursor: next } });
  };
}
