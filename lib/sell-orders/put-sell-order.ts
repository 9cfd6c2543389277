import type { Brand } from "../brand.ts";
import { aheadViolation, correctionOf, type Intake } from "../intake.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { checkSellOrder } from "./sell-order.ts";
import type { SellOrderRegister } from "./sell-order-register.ts";

/**
 * Takes in one version of a partner's sell order, as one JSON document of the ramp contract. A document that breaks the
 * contract or its rules, or was updated more than a day ahead of now, is refused and nothing is stored.
 *
 * @throws {Failure} when the store does not answer.
 */
export async function putSellOrder(
  register: SellOrderRegister,
  brand: Brand,
  partnerId: string,
  text: string,
  intake: Intake = {},
): Promise<WriteOutcome> {
  const checked = checkSellOrder(brand, partnerId, text);
  if (!checked.ok) return refused(checked.reason);
  const violation = aheadViolation(checked.value.updatedMicros, intake);
  return violation === undefined ? register.put(checked.value, correctionOf(intake)) : refused(violation);
}
