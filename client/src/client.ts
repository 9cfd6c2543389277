import { Business } from "./business.ts";
import { Channel, type Interface, type Shared } from "./channel.ts";
import { defaultVersionHeader, latestPassVersion } from "./contract.ts";
import { businessInterface, exchangeInterface, passesInterface, rampInterface } from "./credentials.ts";
import { Exchange } from "./exchange.ts";
import type { CountinghouseOptions } from "./options.ts";
import { Passes } from "./passes.ts";
import { TIMER_MS_MAX, thisPlatform } from "./platform.ts";
import { Ramp } from "./ramp.ts";
import { RetryPolicy } from "./retry.ts";
import { aFunction, aNumber, anObject, holdTo } from "./rules.ts";
import { Warnings } from "./warning.ts";

const TIMEOUT_MS = 30_000;

/** What the options of a client must be, beside its address. */
const optionRules = {
  business: anObject,
  passes: anObject,
  exchange: anObject,
  ramp: anObject,
  timeoutMs: aNumber(1, TIMER_MS_MAX),
  onWarning: aFunction,
  fetch: aFunction,
  now: aFunction,
  sleep: aFunction,
  random: aFunction,
} as const;

/**
 * A client of the service. It has an interface for each of the credentials that it was given.
 *
 * @example
 * const client = new Countinghouse({ baseUrl: "https://api.example.com", ramp: { apiKey } });
 * const order = await client.ramp.sellOrder(orderId);
 */
export class Countinghouse {
  readonly #business: Business | undefined;
  readonly #passes: Passes | undefined;
  readonly #exchange: Exchange | undefined;
  readonly #ramp: Ramp | undefined;

  /** @throws {TypeError} for options that cannot be meant. */
  constructor(options: CountinghouseOptions) {
    holdTo(optionRules, options);
    const shared = sharedOf(options);
    const channel = (ofInterface: Interface): Channel => new Channel(shared, ofInterface);
    const { business, passes, exchange, ramp } = options;
    const { platform } = shared;
    this.#business = business && new Business(channel(businessInterface(business)));
    this.#passes = passes && new Passes(channel(passesInterface(passes, platform)), versionOf(passes));
    this.#exchange = exchange && new Exchange(channel(exchangeInterface(exchange, platform)));
    this.#ramp = ramp && new Ramp(channel(rampInterface(ramp)));
  }

  /** Transactions. @throws {TypeError} without the option `business`. */
  get business(): Business {
    return given("business", this.#business);
  }

  /** Wallet passes. @throws {TypeError} without the option `passes`. */
  get passes(): Passes {
    return given("passes", this.#passes);
  }

  /** Trades. @throws {TypeError} without the option `exchange`. */
  get exchange(): Exchange {
    return given("exchange", this.#exchange);
  }

  /** Sell orders. @throws {TypeError} without the option `ramp`. */
  get ramp(): Ramp {
    return given("ramp", this.#ramp);
  }
}

function given<Part>(name: string, part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw new TypeError(`This client has no credentials for it: give it the option ${name}.`);
}

function sharedOf(options: CountinghouseOptions): Shared {
  const { timeoutMs = TIMEOUT_MS, retry = {}, onWarning = ({ message }) => console.warn(message) } = options;
  const { fetch, now, sleep, random } = { ...thisPlatform, ...onlyGiven(options) };
  return {
    baseUrl: checkedBase(options.baseUrl),
    platform: { fetch, now, sleep, random },
    timeoutMs,
    retry: new RetryPolicy(retry, random),
    warnings: new Warnings(onWarning),
  };
}

/** The options that are not undefined, which would replace a default. */
const onlyGiven = (options: CountinghouseOptions): Partial<CountinghouseOptions> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

function checkedBase(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError("baseUrl: must be an absolute http or https URL, such as https://api.example.com.");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("baseUrl: must have no user, password, query or hash.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

const versionOf = ({
  versionHeader = defaultVersionHeader,
  serviceApiVersion = latestPassVersion,
}: NonNullable<CountinghouseOptions["passes"]>): Readonly<Record<string, string>> => ({
  [versionHeader]: serviceApiVersion,
});
