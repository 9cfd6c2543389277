import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { TARGET_PREFIX } from "./embedded-engine.ts";
import { LOCAL_REGION } from "./local-account.ts";
import { namingSigner } from "./naming-signer.ts";
import type { StoreHandler, StoreInput, StoreOperation } from "./wire.ts";

/** The parts of the SDK's request that a store reads. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const decoder = new TextDecoder();

/** A client of a store in this thread, with the owner's permissions: its calls take no way over a connection. */
export const directClient = (handle: StoreHandler): DynamoDBClient =>
  new DynamoDBClient({
    endpoint: "http://127.0.0.1",
    region: LOCAL_REGION,
    credentials: { accessKeyId: "owner", secretAccessKey: "owner" },
    signer: namingSigner("owner"),
    requestHandler: { handle: (request: SdkRequest) => answer(handle, request) } as NonNullable<
      DynamoDBClientConfig["requestHandler"]
    >,
  });

async function answer(handle: StoreHandler, { headers, body }: SdkRequest): Promise<object> {
  const target = headers["x-amz-target"] ?? "";
  const operation = target.slice(TARGET_PREFIX.length) as StoreOperation;
  const input = JSON.parse(decoder.decode(body)) as StoreInput;
  const { status, body: given } = await handle({ operation, input });
  const response = {
    statusCode: status,
    headers: { "content-type": "application/x-amz-json-1.0" },
    body: Buffer.from(JSON.stringify(given)),
  };
  return { response };
}
