import type { Brand } from "../brand.ts";
import { putRecord } from "../dynamo/record-register.ts";
import { type Intake, notAhead } from "../intake.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { checkTransaction } from "./transaction.ts";
import type { TransactionRegister } from "./transaction-register.ts";

/**
 * Takes in one version of a business's transaction, as one JSON document of the business accounts contract. A document
 * that breaks the contract or its rules, or was updated more than a day ahead of now, is refused and nothing is stored.
 *
 * @throws {Failure} when the store does not answer.
 */
export const putTransaction = (
  register: Pick<TransactionRegister, "put">,
  brand: Brand,
  businessId: string,
  text: string,
  intake?: Intake,
): Promise<WriteOutcome> =>
  putRecord(register, notAhead(checkTransaction(brand, businessId, text), intake), intake);
