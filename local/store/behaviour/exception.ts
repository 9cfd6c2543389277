import type { StoreAnswer } from "../wire.ts";

/** The name of an answer's exception; undefined when the answer is not an exception. */
export function exceptionOf({ body }: StoreAnswer): string | undefined {
  const { __type: type } = body;
  return typeof type === "string" ? type.slice(type.indexOf("#") + 1) : undefined;
}
