import type { StoreAnswer } from "../wire.ts";

/** The name of the exception that an answer is; undefined for one that is none. */
export function exceptionOf({ body }: StoreAnswer): string | undefined {
  const { __type: type } = body;
  return typeof type === "string" ? type.slice(type.indexOf("#") + 1) : undefined;
}
