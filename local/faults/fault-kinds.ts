import type { Invoke } from "../gateway/request-handler.ts";
import {
  type Ending,
  type GatewayResponse,
  type OwnStatus,
  ownResponse,
  ownStatuses,
} from "../gateway/response.ts";
import type { SpoiledStore } from "./spoiled-pools.ts";

/** How a fault of the gateway's side answers a request. */
interface FaultTimes {
  /** How long `slow` waits. */
  readonly delayMs: number;
  /** How long the gateway waits for a function on the request's route. */
  readonly limitMs: number;
  /** Resolves after a time. */
  readonly wait: (ms: number) => Promise<void>;
}

type Act = (invoke: Invoke, times: FaultTimes) => Promise<GatewayResponse>;

/** A way in which requests go wrong on purpose. */
export type FaultKind = {
  /** What a caller sees, as the end of a sentence that begins with the endpoint. */
  readonly effect: string;
} & (
  | {
      /** What is wrong with the function's store, so that the answer is the function's own. */
      readonly store: SpoiledStore;
      /** The status of an answer that the fault has made. */
      readonly status: number;
    }
  | { readonly act: Act }
);

const ended =
  (ending: Ending): Act =>
  async (invoke) => ({ ...(await invoke()), ending });

const ofStore = (status: number, because: string, store: SpoiledStore): FaultKind => ({
  effect: `answers ${status} ${because}`,
  store,
  status,
});

/** The fault that delays an answer by a time. */
export const DELAYED = "slow";

/** The faults that are not an answer of the gateway's own. */
const others: Readonly<Record<string, FaultKind>> = {
  "429": ofStore(429, "rate_limited: its limit has no token left", "no tokens"),
  "500": ofStore(500, "internal_error: it may not read its records", "no permission"),
  "503": ofStore(503, "temporarily_unavailable: its reads fail", "no records"),
  timeout: {
    effect: "does not answer until the gateway gives up, with its own 503",
    act: async (_, { limitMs, wait }) => {
      await wait(limitMs);
      return ownResponse(503);
    },
  },
  [DELAYED]: {
    effect: "answers late",
    act: async (invoke, { delayMs, wait }) => {
      const answer = await invoke();
      await wait(delayMs);
      return answer;
    },
  },
  cut: { effect: "ends the connection in the middle of the body", act: ended("cut") },
  reset: { effect: "resets the connection in place of an answer", act: ended("reset") },
};

const ofGateway = (status: OwnStatus): [string, FaultKind] => [
  `gateway-${status}`,
  {
    effect: `does not run: the gateway answers its own ${status}`,
    act: () => Promise.resolve(ownResponse(status)),
  },
];

/** Every fault, by the name that a person gives to it. */
export const faultKinds: ReadonlyMap<string, FaultKind> = new Map([
  ...Object.entries(others),
  ...ownStatuses.map(ofGateway),
]);
