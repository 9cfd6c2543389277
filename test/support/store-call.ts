import type { StoreAnswer, StoreRequest } from "../../infra/local/store/wire.ts";

/** Sends a request to a store as it stands, with no client in between to refuse or to mend it. */
export async function callStore(endpoint: string, { operation, input }: StoreRequest): Promise<StoreAnswer> {
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
    },
    body: JSON.stringify(input),
  });
  return { status: answer.status, body: (await answer.json()) as StoreAnswer["body"] };
}
