export type { Business } from "./business.ts";
export { Countinghouse } from "./client.ts";
export type * from "./contract.ts";
export { type Decimal, isExact, toNumber } from "./decimal.ts";
export type { PrivateJwk, PrivateKey, Sign } from "./ed25519.ts";
export { type ClientCode, CountinghouseError, type FailureDetails } from "./error.ts";
export type { JsonValue } from "./exact-json.ts";
export type { Exchange, TradesOptions } from "./exchange.ts";
export type { Follow, FollowOptions, FollowResume } from "./follow.ts";
export type { Instant } from "./instant.ts";
export type {
  AccessToken,
  BusinessOptions,
  CallOptions,
  CountinghouseOptions,
  ExchangeOptions,
  PassesOptions,
  RampOptions,
} from "./options.ts";
export type { PassAnswer, PassChange, Passes, PassQuery } from "./passes.ts";
export type { Platform } from "./platform.ts";
export type { OrderFollowOptions, Ramp, WaitOptions } from "./ramp.ts";
export type { RetryOptions } from "./retry.ts";
export type { TradeResume } from "./trade-position.ts";
export type { TradeProgress, TradeWalk } from "./trade-walk.ts";
export {
  type FollowSinceOptions,
  type FollowSource,
  TransactionFollow,
} from "./transaction-follow.ts";
export type { ThereOptions } from "./until-there.ts";
export type { DeprecationWarning } from "./warning.ts";
