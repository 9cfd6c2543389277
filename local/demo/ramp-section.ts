import { isApiKey, newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import type { Clock } from "../../lib/clock.ts";
import { failReasons, sellOrderStatuses } from "../../lib/sell-orders/sell-order-kinds.ts";
import type { CredentialRegister } from "../credentials/credential-register.ts";
import type { OrderShape, RampSection } from "./demo-file.ts";
import { type DemoRecords, firstOf, type RecordFile, type SellOrderDocument } from "./demo-records.ts";

export interface RampParts {
  readonly records: Pick<DemoRecords, "partner" | "otherPartner">;
  readonly register: Pick<CredentialRegister, "add">;
  readonly clock: Clock;
  /** The section of an earlier start, whose keys are kept. */
  readonly kept: Partial<RampSection> | undefined;
}

/** The section of the ramp. Its keys are made once; a store that does not know them yet learns them. */
export async function rampSection({ records, register, clock, kept }: RampParts): Promise<RampSection> {
  const admit = async (owner: string, kept: unknown): Promise<string> => {
    const apiKey = typeof kept === "string" && isApiKey(kept) ? kept : newApiKey();
    await register.add({ id: rampKeyId(apiKey), kind: "ramp-key", owner, scopes: [], createdAt: clock() });
    return apiKey;
  };
  const { partner, otherPartner } = records;
  return {
    partnerId: partner.ownerId,
    apiKey: await admit(partner.ownerId, kept?.apiKey),
    otherPartnerId: otherPartner.ownerId,
    otherApiKey: await admit(otherPartner.ownerId, kept?.otherApiKey),
    orderId: orderOf(partner, "COMPLETED"),
    otherOrderId: orderOf(otherPartner, "COMPLETED"),
    orders: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, orderOf(partner, outcome)])),
    orderShapes: Object.fromEntries(SHAPES.map((shape) => [shape, orderOfShape(partner, shape)])) as Record<
      OrderShape,
      string
    >,
  };
}

/** What an order came to, in one word: a failure's reason, else the status. A failure without a reason has none. */
const OUTCOMES = [...sellOrderStatuses.filter((status) => status !== "FAILED"), ...failReasons];

const orderOf = (file: RecordFile<SellOrderDocument>, outcome: string): string =>
  firstOf(
    file,
    `order that came to ${outcome}`,
    ({ status, fail_reason: reason }) => (status === "FAILED" ? reason : status) === outcome,
  ).id;

const SHAPES: readonly OrderShape[] = ["full", "withoutPartnerFee", "withoutPartnerRate", "bare"];

const orderOfShape = (file: RecordFile<SellOrderDocument>, shape: OrderShape): string =>
  firstOf(file, `order of the shape ${shape}`, (order) => shapeOf(order) === shape).id;

function shapeOf({ fees, fees_partner_currency: converted }: SellOrderDocument): OrderShape {
  const hasRate = converted.ramp_fee !== undefined;
  if (fees.partner_fee !== undefined) return hasRate ? "full" : "withoutPartnerRate";
  return hasRate ? "withoutPartnerFee" : "bare";
}
