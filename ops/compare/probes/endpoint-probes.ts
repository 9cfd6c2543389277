import { endpoints } from "../../../infra/endpoints.ts";
import { get, getPass, type Probe, plain, segment } from "../probe.ts";
import { signedGet, tradesOf } from "./exchange-probes.ts";

/** A path of each endpoint. Without credentials no record is looked for, so that any name will do. */
const paths = endpoints.map(({ contract: { name, route } }) => ({
  name,
  path: route.replaceAll(/\{[^}]+\}/g, "compare"),
}));

/** Without credentials: the challenge of the 401. */
export const challengeProbes: readonly Probe[] = paths.map(({ name, path }) => ({
  name: `${name}-invalid-credentials`,
  shows: "A 401 names the scheme in `WWW-Authenticate`.",
  meant: 401,
  sending: plain({ target: path }),
}));

/** The path of each endpoint with a slash at its end. */
export const trailingSlashProbes: readonly Probe[] = paths.map(({ name, path }) => ({
  name: `${name}-trailing-slash`,
  shows: "A route without a slash at its end does not match a path with one.",
  sending: plain({ target: `${path}/` }),
}));

/** Each endpoint asked by HEAD. */
export const headProbes: readonly Probe[] = paths.map(({ name, path }) => ({
  name: `${name}-head`,
  shows: "A route for GET does not answer HEAD.",
  sending: plain({ method: "HEAD", target: path }),
}));

const DAYS_30_MS = 2_592_000_000;
/** Any instant will do: a window costs tokens whether or not there are trades in it. */
const WINDOW_END_MS = 1_795_554_000_000;

/** Requests that use up a limit, and are sent again until they are refused. */
export const limitProbes: readonly Probe[] = [
  {
    name: "list-trades-rate-limited",
    shows: "A 429 of the exchange, with `Retry-After` in milliseconds.",
    meant: 429,
    usesUp: "the trades of the exchange key's owner",
    sending: (side) => {
      const window = `start_date=${WINDOW_END_MS - DAYS_30_MS}&end_date=${WINDOW_END_MS}&limit=1`;
      return signedGet(side, tradesOf(side, window));
    },
  },
  ...(["get-transaction", "list-transactions"] as const).map(
    (name): Probe => ({
      name: `${name}-rate-limited`,
      shows: "A 429, with `Retry-After` in seconds.",
      meant: 429,
      usesUp: "both endpoints of the business",
      sending: (side) => {
        const target = name === "list-transactions" ? "/transactions?count=1" : "/transaction/compare-absent";
        return get(side, target, side.bearer("business.token"));
      },
    }),
  ),
  {
    name: "get-sell-order-rate-limited",
    shows: "A 429, with `Retry-After` in seconds.",
    meant: 429,
    usesUp: "the sell orders of the ramp key's owner",
    sending: (side) =>
      get(side, `/sell-orders/${segment(side.get("ramp.orderId"))}`, ["X-API-KEY", side.get("ramp.apiKey")]),
  },
  {
    name: "get-pass-rate-limited",
    shows: "A 429, with `Retry-After` in seconds.",
    meant: 429,
    usesUp: "the passes of the wallet service",
    sending: (side) => getPass(side, "/passes/compare-absent"),
  },
];
