import { isPartnerReference } from "../../lib/passes/partner-reference.ts";
import { OperatorError } from "../terminal/operator-error.ts";

/** @throws {OperatorError} for what no pass can have as its reference, so that no store is asked for it. */
export function requirePartnerReference(text: string): void {
  if (isPartnerReference(text)) return;
  throw new OperatorError(
    "No pass can have this reference: it is 1 to 128 letters, digits and . _ ~ : @ -, and neither . nor .. alone.",
  );
}
