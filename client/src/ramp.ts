import type { Channel } from "./channel.ts";
import { finalSellOrderStatuses, routes, type SellOrder, sellOrderShape } from "./contract.ts";
import type { CallOptions } from "./options.ts";
import { urlOf } from "./route.ts";
import { aFunction, holdTo } from "./rules.ts";
import { LOOK_MS, type ThereOptions, thereRules, untilThere } from "./until-there.ts";

const MINUTE_MS = 60_000;
/** The reference says so: a session may be ten minutes old before it becomes an order. */
const MISSING_MS = 10 * MINUTE_MS;

/** How an order is waited for. */
export interface WaitOptions extends ThereOptions {
  /** Told of the order when it is first seen, and each time it has changed. */
  readonly onChange?: ((order: SellOrder, before: SellOrder | undefined) => void) | undefined;
  /** From one look to the next, in milliseconds. Default: 5,000, and a minute while the order awaits its deposit. */
  readonly everyMs?: number | undefined;
  /** How long an order that is not there yet is waited for, in milliseconds. Default: ten minutes. */
  readonly missingMs?: number | undefined;
}

/** The ramp: sell orders of the partner that the API key belongs to. */
export class Ramp {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /**
   * One sell order, by the `orderId` that the partner gave.
   *
   * @throws {CountinghouseError} `not_found` for one that does not exist yet, or is another partner's.
   */
  async sellOrder(orderId: string, options: CallOptions = {}): Promise<SellOrder> {
    const { value } = await this.#channel.send({
      endpoint: "get-sell-order",
      url: urlOf(this.#channel.shared.baseUrl, routes["get-sell-order"], { order_id: orderId }),
      cost: 1,
      shape: sellOrderShape,
      hasDecimals: true,
      options,
    });
    return value as SellOrder;
  }

  /**
   * Looks at an order until its status is final, and returns it. A failed order may change its `fail_reason` later, as
   * from `EXPIRED` to `REFUNDED`.
   *
   * @throws {CountinghouseError} `not_found` when the order is not there for `missingMs`.
   * @throws the reason of the signal, once it is aborted.
   */
  async waitUntilFinal(orderId: string, options: WaitOptions = {}): Promise<SellOrder> {
    holdTo({ ...thereRules, onChange: aFunction }, options);
    const { signal, onWait, onChange, everyMs, missingMs = MISSING_MS } = options;
    const look = (): Promise<SellOrder> => this.sellOrder(orderId, { signal, onWait });
    let order = await untilThere(this.#channel, look, { everyMs, missingMs, signal });
    onChange?.(order, undefined);
    while (!isFinal(order)) {
      await this.#channel.pause(everyMs ?? usualMs(order), { signal });
      const before = order;
      order = await look();
      if (hasChanged(order, before)) onChange?.(order, before);
    }
    return order;
  }
}

/** A deposit may take days; everything else moves within seconds. */
const usualMs = ({ status }: SellOrder): number => (status === "AWAITING_DEPOSIT" ? MINUTE_MS : LOOK_MS);

const isFinal = ({ status }: SellOrder): boolean =>
  (finalSellOrderStatuses as readonly string[]).includes(status);

const hasChanged = (order: SellOrder, before: SellOrder): boolean =>
  JSON.stringify(order) !== JSON.stringify(before);
