import { setTimeout as pause } from "node:timers/promises";
import { type Endpoint, endpoints } from "../../infra/endpoints.ts";
import type { Clock } from "../../lib/clock.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { ControlRefusal, type ServedRoute, serveRoute } from "../control/control-route.ts";
import type { Interference } from "../gateway/request-handler.ts";
import { places } from "../installation.ts";
import { type PoolsOptions, startPool } from "../runtime/function-pools.ts";
import type { RouteDefinition } from "../template/template.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import { FaultBook, type FaultHit } from "./fault-book.ts";
import { DELAYED, type FaultKind, faultKinds } from "./fault-kinds.ts";
import { clearFaults, type ListedFault, listFaults, setFault, type WantedFault } from "./fault-routes.ts";
import { EVERY_ROUTE, findEndpoints, type ServedEndpoint, servedEndpoints } from "./find-routes.ts";
import { SpoiledPools, type StartSpoiledPool } from "./spoiled-pools.ts";

const DELAY_MS = 3_000;

export interface FaultsOptions {
  readonly routes: readonly RouteDefinition[];
  readonly endpoints: readonly Endpoint[];
  /** What clients put before every route. */
  readonly basePath: string;
  readonly startPool: StartSpoiledPool;
  readonly clock: Clock;
  /** Resolves after a time. */
  readonly wait?: (ms: number) => Promise<void>;
}

/**
 * The faults that requests of a running service meet on purpose. A fault below the handler has its own environments of
 * the function, for which the store is spoiled, so that the answer, its headers and its log line are the function's,
 * and a request that does not meet the fault takes the same way as ever.
 */
export class Faults {
  readonly #served: readonly ServedEndpoint[];
  readonly #book: FaultBook;
  readonly #pools: SpoiledPools;
  readonly #options: FaultsOptions;

  constructor(options: FaultsOptions) {
    this.#options = options;
    this.#served = servedEndpoints(options.routes, options.endpoints);
    this.#book = new FaultBook(options.clock);
    this.#pools = new SpoiledPools(options.startPool);
  }

  /** Sets a fault. @throws {ControlRefusal} when there is no such endpoint or fault, or it delays nothing. */
  async set(wanted: WantedFault): Promise<ListedFault[]> {
    const { route, fault, times, forMs, oneIn = 1, seed = 1, delayMs = DELAY_MS } = wanted;
    const kind = kindOf(fault);
    if (wanted.delayMs !== undefined && fault !== DELAYED)
      throw new ControlRefusal(
        `Only the fault ${DELAYED} has a time by which it delays an answer, not ${fault}.`,
      );
    const chosen = findEndpoints(route, this.#served, this.#options.basePath);
    if ("store" in kind) await Promise.all(chosen.map((one) => this.#pools.open(one, kind.store)));
    const keys = new Set(chosen.map(({ route }) => route.routeKey));
    for (const routeKey of keys) this.#book.add({ routeKey, fault, times, forMs, oneIn, seed, delayMs });
    return this.#list(({ routeKey, fault: of }) => keys.has(routeKey) && of === fault);
  }

  /** Every fault that was set and not cleared. */
  list(): ListedFault[] {
    return this.#list(() => true);
  }

  /** Ends the faults of an endpoint, by default of all. @returns how many. @throws {ControlRefusal} */
  async clear(route = EVERY_ROUTE): Promise<number> {
    const chosen = findEndpoints(route, this.#served, this.#options.basePath);
    const cleared = this.#book.clear(chosen.map(({ route }) => route.routeKey));
    await this.#pools.retire(chosen);
    return cleared;
  }

  /** The interference that one request of a route meets; undefined for none. */
  readonly interfere = (route: RouteDefinition): Interference | undefined => {
    const hit = this.#book.meet(route.routeKey);
    return hit && this.#interference(hit, route);
  };

  /** Ends the environments of the faults. */
  close(): Promise<void> {
    return this.#pools.close(this.#served);
  }

  #interference({ order, takeBack }: FaultHit, route: RouteDefinition): Interference {
    const { fault, delayMs } = order;
    const kind = kindOf(fault);
    const marks = { problem: `on purpose: the fault ${fault}`, fault };
    const times = { delayMs, limitMs: route.integrationTimeoutMs, wait: this.#options.wait ?? waitUnheld };
    if ("act" in kind) return async (invoke) => ({ ...(await kind.act(invoke, times)), ...marks });
    return async (invoke) => {
      const answer = await invoke(await this.#pools.of(route.functionName, kind.store));
      if (answer.statusCode === kind.status) return { ...answer, ...marks };
      // The request failed an earlier check, which faults leave on.
      takeBack();
      return answer;
    };
  }

  #list(isWanted: (entry: ReturnType<FaultBook["list"]>[number]) => boolean): ListedFault[] {
    return this.#book
      .list()
      .filter(isWanted)
      .map(({ routeKey, fault, hits, state, times, untilMs, oneIn, delayMs }) => ({
        endpoint: this.#served.find(({ route }) => route.routeKey === routeKey)?.endpoint.contract.name ?? "",
        fault,
        effect: `${kindOf(fault).effect}${fault === DELAYED ? `, by ${delayMs / 1_000} s` : ""}`,
        hits,
        state,
        oneIn,
        ...(times !== undefined && { times }),
        ...(untilMs !== undefined && { untilMs }),
      }));
  }
}

/** Waits without keeping the process alive. */
const waitUnheld = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });

/** @throws {ControlRefusal} for an unknown fault. */
function kindOf(fault: string): FaultKind {
  const kind = faultKinds.get(fault);
  if (kind !== undefined) return kind;
  const names = [...faultKinds.keys()];
  const near = nearestName(fault, names);
  const hint = /^[1-4]\d\d$/.test(fault)
    ? ` A ${fault} comes from a request or from a record's state: ${places.shownDocuments}/sandbox.md has the command for each endpoint.`
    : near === undefined
      ? ""
      : ` Did you mean ${near}?`;
  throw new ControlRefusal(`There is no fault "${fault}".${hint} The faults are ${names.join(", ")}.`);
}

/** The routes of the control channel that steer faults. */
export const faultRoutes = (
  faults: Faults,
): readonly [set: ServedRoute, list: ServedRoute, clear: ServedRoute] => [
  serveRoute(setFault, (wanted) => faults.set(wanted)),
  serveRoute(listFaults, () => faults.list()),
  serveRoute(clearFaults, async ({ route }) => ({ cleared: await faults.clear(route) })),
];

/** The faults of a service whose functions run with `live`. Their environments end with `running`. */
export function openFaults(live: PoolsOptions, basePath: string, running: AsyncDisposableStack): Faults {
  const { routes, functions } = live.application;
  const faults = new Faults({
    routes,
    endpoints,
    basePath,
    startPool: (functionName, change) => {
      const definition = functions.find(({ name }) => name === functionName) as FunctionDefinition;
      return startPool(definition, live, change(definition));
    },
    clock: live.clock,
  });
  running.defer(() => faults.close());
  return faults;
}
