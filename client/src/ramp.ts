import type { Channel } from "./channel.ts";
import { finalSellOrderStatuses, routes, type SellOrder, sellOrderShape } from "./contract.ts";
import type { Follow, FollowOptions } from "./follow.ts";
import type { CallOptions } from "./options.ts";
import { type Looked, RecordFollow } from "./record-follow.ts";
import { urlOf } from "./route.ts";
import { aFunction, holdTo } from "./rules.ts";
import { LOOK_MS, nothingIfMissing, type ThereOptions, thereRules, untilThere } from "./until-there.ts";

const MINUTE_MS = 60_000;
/** The reference says so: a session may be ten minutes old before it becomes an order. */
const MISSING_MS = 10 * MINUTE_MS;
/** Nothing comes after it, so that nothing else need be known of such an order. */
const COMPLETED = "COMPLETED";

/** How an order is waited for. */
export interface WaitOptions extends ThereOptions {
  /** Told of the order when it is first seen, and each time it has changed. */
  readonly onChange?: ((order: SellOrder, before: SellOrder | undefined) => void) | undefined;
  /** From one look to the next, in milliseconds. Default: 5,000, and a minute while the order awaits its deposit. */
  readonly everyMs?: number | undefined;
  /** How long an order that is not there yet is waited for, in milliseconds. Default: ten minutes. */
  readonly missingMs?: number | undefined;
}

/** How orders are followed. */
export interface OrderFollowOptions extends FollowOptions {
  /** Told once of each order that is not there yet: it is looked at for ten minutes. */
  readonly onMissing?: ((id: string) => void) | undefined;
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

  /**
   * Sell orders as they change, each first as it is: looked at once a minute during `AWAITING_DEPOSIT`, once a day after
   * `FAILED`, and else every five seconds (`everyMs`). It ends by `break`, by the signal, by a failure, or once all are
   * `COMPLETED` or not there for ten minutes. Ids that are added to a `Set` meanwhile are looked at as well.
   *
   * @example
   * for await (const { id, status } of client.ramp.follow([orderId])) …
   * @throws {TypeError} for options that cannot be meant.
   */
  follow(orderIds: Iterable<string>, options: OrderFollowOptions = {}): Follow<SellOrder> {
    holdTo({ onMissing: aFunction }, options);
    const { signal, onWait, onMissing, everyMs } = options;
    const { platform } = this.#channel.shared;
    const begunMs = new Map<string, number>();
    const lookAt = async (id: string, seen: string | undefined): Promise<Looked<SellOrder>> => {
      if (seen === COMPLETED) return { seen, againMs: Number.POSITIVE_INFINITY };
      const order = await this.sellOrder(id, { signal, onWait }).catch(nothingIfMissing);
      if (order === undefined) {
        const begun = begunMs.get(id) ?? platform.now();
        const mayCome = seen === undefined && platform.now() - begun < MISSING_MS;
        if (mayCome && !begunMs.has(id)) onMissing?.(id);
        begunMs.set(id, begun);
        return { seen: undefined, ...(!mayCome && { againMs: Number.POSITIVE_INFINITY }) };
      }
      const text = JSON.stringify(order);
      return {
        seen: order.status === COMPLETED ? COMPLETED : text,
        change: text === seen ? undefined : order,
        againMs: isFinal(order) ? usualMs(order) : (everyMs ?? usualMs(order)),
      };
    };
    const rules = { everyMs: LOOK_MS, known: /^(?:\{|COMPLETED$)/ };
    return new RecordFollow({ ids: orderIds, lookAt }, platform, options, rules);
  }
}

/** A deposit may take days, and come after the failure; everything else moves within seconds. */
const usualMs = ({ status }: SellOrder): number => LOOKS_MS.get(status) ?? LOOK_MS;

const LOOKS_MS: ReadonlyMap<string, number> = new Map([
  ["AWAITING_DEPOSIT", MINUTE_MS],
  ["FAILED", 1_440 * MINUTE_MS],
  [COMPLETED, Number.POSITIVE_INFINITY],
]);

const isFinal = ({ status }: SellOrder): boolean =>
  (finalSellOrderStatuses as readonly string[]).includes(status);

const hasChanged = (order: SellOrder, before: SellOrder): boolean =>
  JSON.stringify(order) !== JSON.stringify(before);
