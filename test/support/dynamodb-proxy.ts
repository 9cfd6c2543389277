import { startStoreProxy } from "./store-proxy.ts";

/** A fault in place of the store's answer: an error by its name in DynamoDB's API, or no answer at all. */
export type StoreAnswer = "ThrottlingException" | "AccessDeniedException" | "silence" | undefined;

/**
 * Starts a proxy between a client and a DynamoDB engine. `onPut` is called before the nth write (from 1) is passed on;
 * a fault that it returns replaces the answer.
 */
export function startDynamoProxy(engineEndpoint: string, onPut: (nth: number) => StoreAnswer) {
  let puts = 0;
  return startStoreProxy(engineEndpoint, ({ operation }) => {
    if (operation !== "PutItem") return undefined;
    puts += 1;
    const error = onPut(puts);
    return error === undefined || error === "silence"
      ? error
      : { status: 400, type: `com.amazon.coral.availability#${error}` };
  });
}
