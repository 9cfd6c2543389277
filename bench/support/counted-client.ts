import { DynamoDB } from "@aws-sdk/client-dynamodb";

export interface CountedClient {
  readonly client: DynamoDB;
  /** Writes that were sent so far, including failed conditions and retries, because AWS bills them all. */
  readonly writes: () => number;
}

/** A client of an engine that counts what it sends. */
export function countedClient(endpoint: string, { maxAttempts }: { maxAttempts: number }): CountedClient {
  const client = new DynamoDB({
    endpoint,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts,
  });
  let writes = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (/^(?:Put|Update|Delete)Item/.test(commandName ?? "")) writes += 1;
        return next(args);
      },
    { step: "finalizeRequest", priority: "low" },
  );
  return { client, writes: () => writes };
}
