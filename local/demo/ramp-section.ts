import { isApiKey, newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import type { CredentialRegister } from "../../lib/auth/credential-register.ts";
import type { Clock } from "../../lib/clock.ts";
import type { RampSection } from "./demo-file.ts";
import { demoPartners, isUnexplained, type OrderShape, orderShapes, outcomeName } from "./sell-order-plan.ts";
import type { DemoSellOrder } from "./sell-orders.ts";

export interface RampParts {
  readonly orders: readonly DemoSellOrder[];
  readonly register: Pick<CredentialRegister, "add">;
  readonly clock: Clock;
  /** The section of an earlier start, whose keys are kept. */
  readonly kept: Partial<RampSection> | undefined;
}

/** The section of the ramp. Its keys are made once; a store that does not know them yet learns them. */
export async function rampSection({ orders, register, clock, kept }: RampParts): Promise<RampSection> {
  const admit = async (owner: string, kept: unknown): Promise<string> => {
    const apiKey = typeof kept === "string" && isApiKey(kept) ? kept : newApiKey();
    await register.add({ id: rampKeyId(apiKey), kind: "ramp-key", owner, scopes: [], createdAt: clock() });
    return apiKey;
  };
  const byName = firstOfEachOutcome(orders, demoPartners.first);
  return {
    partnerId: demoPartners.first,
    apiKey: await admit(demoPartners.first, kept?.apiKey),
    otherPartnerId: demoPartners.second,
    otherApiKey: await admit(demoPartners.second, kept?.otherApiKey),
    orderId: existing(byName.COMPLETED),
    otherOrderId: existing(firstOfEachOutcome(orders, demoPartners.second).COMPLETED),
    orders: byName,
    orderShapes: firstOfEachShape(orders, demoPartners.first),
  };
}

function firstOfEachShape(orders: readonly DemoSellOrder[], partnerId: string): Record<OrderShape, string> {
  const own = orders.filter((order) => order.partnerId === partnerId);
  const idOf = (shape: OrderShape) => existing(own.find((order) => order.shape === shape)?.id);
  return Object.fromEntries(orderShapes.map((shape) => [shape, idOf(shape)])) as Record<OrderShape, string>;
}

function firstOfEachOutcome(orders: readonly DemoSellOrder[], partnerId: string): Record<string, string> {
  const ids = new Map<string, string>();
  for (const { outcome, id, partnerId: owner } of orders) {
    const name = outcomeName(outcome);
    if (owner === partnerId && !isUnexplained(outcome) && !ids.has(name)) ids.set(name, id);
  }
  return Object.fromEntries(ids);
}

function existing(id: string | undefined): string {
  if (id === undefined) throw new Error("The demo lacks a sell order that its file has to name.");
  return id;
}
