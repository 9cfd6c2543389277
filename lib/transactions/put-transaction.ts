import type { Brand } from "../brand.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { checkTransaction } from "./transaction.ts";
import type { TransactionRegister } from "./transaction-register.ts";

/**
 * Takes in one version of a business's transaction, as one JSON document of the business accounts contract. A document
 * that breaks the contract or its rules is refused and nothing is stored. Throws a `Failure` when the store does not
 * answer.
 */
export async function putTransaction(
  register: TransactionRegister,
  brand: Brand,
  businessId: string,
  text: string,
): Promise<WriteOutcome> {
  const checked = checkTransaction(brand, businessId, text);
  return checked.ok ? register.put(checked.value) : refused(checked.reason);
}
