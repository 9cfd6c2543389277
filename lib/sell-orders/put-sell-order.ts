import type { Brand } from "../brand.ts";
import { putRecord } from "../dynamo/record-register.ts";
import { type Intake, notAhead } from "../intake.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { checkSellOrder } from "./sell-order.ts";
import type { SellOrderRegister } from "./sell-order-register.ts";

/**
 * Takes in one version of a partner's sell order, as one JSON document of the ramp contract. A document that breaks the
 * contract or its rules, or was updated more than a day ahead of now, is refused and nothing is stored.
 *
 * @throws {Failure} when the store does not answer.
 */
export const putSellOrder = (
  register: Pick<SellOrderRegister, "put">,
  brand: Brand,
  partnerId: string,
  text: string,
  intake?: Intake,
): Promise<WriteOutcome> =>
  putRecord(register, notAhead(checkSellOrder(brand, partnerId, text), intake), intake);
