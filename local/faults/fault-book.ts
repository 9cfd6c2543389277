import type { Clock } from "../../lib/clock.ts";
import { drawMany } from "../demo/draw.ts";
import type { ListedFault } from "./fault-routes.ts";

/** How often, and for how long, requests meet a fault. */
export interface FaultOrder {
  /** The route of the requests, as in the template: `GET /sell-orders/{order_id}`. */
  readonly routeKey: string;
  /** The fault's name. */
  readonly fault: string;
  /** The most requests that meet it; undefined for any number. */
  readonly times?: number | undefined;
  /** How long it lasts; undefined until it is cleared. */
  readonly forMs?: number | undefined;
  /** It meets one request in so many, on average. */
  readonly oneIn: number;
  /** The same seed draws the same requests again, counted from the order. */
  readonly seed: number;
  /** How long an answer is delayed by a fault that delays answers. */
  readonly delayMs: number;
}

/** An order as it stands. */
export interface FaultEntry extends FaultOrder {
  /** How many requests have met it. */
  readonly hits: number;
  /** Whether it still has an effect. */
  readonly state: ListedFault["state"];
  /** When it ends, in epoch milliseconds. */
  readonly untilMs: number | undefined;
}

/** A request that meets a fault. */
export interface FaultHit {
  readonly order: FaultOrder;
  /** Takes the hit back: the request was answered before the fault could have an effect. */
  readonly takeBack: () => void;
}

interface OpenOrder {
  readonly order: FaultOrder;
  readonly untilMs: number | undefined;
  readonly draw: () => number;
  hits: number;
}

/** Remembers which faults were ordered, and decides which requests meet one. */
export class FaultBook {
  readonly #clock: Clock;
  /** By route; the orders of one route in the order in which they came. */
  readonly #orders = new Map<string, OpenOrder[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds an order. An earlier one of the same fault and route ends. */
  add(order: FaultOrder): void {
    const { routeKey, fault, forMs, seed } = order;
    const others = (this.#orders.get(routeKey) ?? []).filter((open) => open.order.fault !== fault);
    const untilMs = forMs === undefined ? undefined : this.#clock() + forMs;
    const draw = drawMany(`fault/${seed}`).number;
    this.#orders.set(routeKey, [...others, { order, untilMs, draw, hits: 0 }]);
  }

  /** Decides on one request. The first order that draws the request is the one that it meets. */
  meet(routeKey: string): FaultHit | undefined {
    const met = this.#orders
      .get(routeKey)
      ?.find((open) => this.#stateOf(open) === "on" && open.draw() % open.order.oneIn === 0);
    if (met === undefined) return undefined;
    met.hits += 1;
    const takeBack = (): void => {
      met.hits -= 1;
    };
    return { order: met.order, takeBack };
  }

  /** Every order that was not cleared, by route. */
  list(): readonly FaultEntry[] {
    return [...this.#orders.values()].flat().map((open) => {
      const { order, untilMs, hits } = open;
      return { ...order, untilMs, hits, state: this.#stateOf(open) };
    });
  }

  /** Ends the orders of some routes, and forgets them. @returns how many there were. */
  clear(routeKeys: readonly string[]): number {
    const cleared = routeKeys.flatMap((routeKey) => this.#orders.get(routeKey) ?? []);
    for (const routeKey of routeKeys) this.#orders.delete(routeKey);
    return cleared.length;
  }

  #stateOf({ order: { times = Number.POSITIVE_INFINITY }, untilMs, hits }: OpenOrder): ListedFault["state"] {
    if (untilMs !== undefined && this.#clock() >= untilMs) return "over";
    return hits < times ? "on" : "used up";
  }
}
