import type { CallOptions } from "./business.ts";
import type { Channel } from "./channel.ts";
import { finalSellOrderStatuses, routes, type SellOrder, sellOrderShape } from "./contract.ts";
import { CountinghouseError } from "./error.ts";
import { urlOf } from "./route.ts";

const MINUTE_MS = 60_000;

/** How an order is waited for. */
export interface WaitOptions extends CallOptions {
  /** Told of the order when it is first seen, and each time it has changed. */
  readonly onChange?: (order: SellOrder, before: SellOrder | undefined) => void;
  /** From one look to the next, in milliseconds. Default: 5,000, and a minute while the order awaits its deposit. */
  readonly everyMs?: number;
  /** How long an order that is not there yet is waited for, in milliseconds. Default: a minute. */
  readonly missingMs?: number;
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
  async sellOrder(orderId: string, { signal }: CallOptions = {}): Promise<SellOrder> {
    const { value } = await this.#channel.send({
      endpoint: "get-sell-order",
      url: urlOf(this.#channel.shared.baseUrl, routes["get-sell-order"], { order_id: orderId }),
      cost: 1,
      shape: sellOrderShape,
      hasDecimals: true,
      signal,
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
    const { signal, onChange, everyMs, missingMs = MINUTE_MS } = options;
    const { now, sleep } = this.#channel.shared.platform;
    const startedAt = now();
    let before: SellOrder | undefined;
    for (;;) {
      const isPatient = before === undefined && now() - startedAt < missingMs;
      const order = await this.#look(orderId, signal, isPatient);
      if (order !== undefined && hasChanged(order, before)) onChange?.(order, before);
      if (order !== undefined && isFinal(order)) return order;
      before = order ?? before;
      await sleep(everyMs ?? usualMs(order), signal);
    }
  }

  /** The order; undefined for one that is not there, if that is tolerated. */
  async #look(
    orderId: string,
    signal: AbortSignal | undefined,
    isPatient: boolean,
  ): Promise<SellOrder | undefined> {
    try {
      return await this.sellOrder(orderId, { signal });
    } catch (error) {
      if (isPatient && error instanceof CountinghouseError && error.code === "not_found") return undefined;
      throw error;
    }
  }
}

/** A deposit may take days; everything else moves within seconds. */
const usualMs = (order: SellOrder | undefined): number =>
  order?.status === "AWAITING_DEPOSIT" ? MINUTE_MS : 5_000;

const isFinal = ({ status }: SellOrder): boolean =>
  (finalSellOrderStatuses as readonly string[]).includes(status);

const hasChanged = (order: SellOrder, before: SellOrder | undefined): boolean =>
  JSON.stringify(order) !== JSON.stringify(before);
