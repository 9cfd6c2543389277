import { isPartnerReference } from "../../lib/passes/partner-reference.ts";
import { OperatorError } from "../../local/process/operator-error.ts";

/** Refuses a reference that no pass can have before a store is asked for it. @throws {OperatorError} */
export function requirePartnerReference(text: string): void {
  if (isPartnerReference(text)) return;
  throw new OperatorError(
    "No pass can have this reference: give 1 to 128 letters, digits and . _ ~ : @ -, but not . or .. alone.",
  );
}
