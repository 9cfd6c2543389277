/**
 * Stands in a function's bundle for the store of a Lambda invocation's trace, from which the SDK tells services about
 * recursive calls. DynamoDB is told of none; the trace's id is in the environment as well. The SDK calls it by this name.
 */
export const InvokeStore = { getInstanceAsync: async () => undefined };
