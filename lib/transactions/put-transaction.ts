import type { Brand } from "../brand.ts";
import { aheadViolation, correctionOf, type Intake } from "../intake.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { checkTransaction } from "./transaction.ts";
import type { TransactionRegister } from "./transaction-register.ts";

/**
 * Takes in one version of a business's transaction, as one JSON document of the business accounts contract. A document
 * that breaks the contract or its rules, or was updated more than a day ahead of now, is refused and nothing is stored.
 *
 * @throws {Failure} when the store does not answer.
 */
export async function putTransaction(
  register: TransactionRegister,
  brand: Brand,
  businessId: string,
  text: string,
  intake: Intake = {},
): Promise<WriteOutcome> {
  const checked = checkTransaction(brand, businessId, text);
  if (!checked.ok) return refused(checked.reason);
  const violation = aheadViolation(checked.value.updatedMicros, intake);
  return violation === undefined ? register.put(checked.value, correctionOf(intake)) : refused(violation);
}
