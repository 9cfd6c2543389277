import { Countinghouse } from "../../../client/src/client.ts";
import { routes } from "../../../client/src/contract.ts";
import { signerOf } from "../../../client/src/ed25519.ts";
import { urlOf } from "../../../client/src/route.ts";
import { signedHeaders } from "../../../client/src/signed-request.ts";
import { servicePlatform } from "../api/service-platform.ts";
import type { Session } from "../api/session.tsx";
import { LiveState } from "../live-state.ts";
import { askedChoice, firstChoice, spanMs } from "./choice.ts";
import { type Gauge, gaugesOf } from "./gauges.ts";
import { untilMs } from "./instants.ts";
import { Spending } from "./spending.ts";
import { TradeReading } from "./trade-reading.ts";
import type { View } from "./view.ts";
import { type Wait, watchedPlatform } from "./watched-platform.ts";

const DAY_MS = 86_400_000;
/** The longest window, whose request costs the most. */
const SPENDING_DAYS = 30;

/** Everything that the market's screen shows. It outlives the screen, so that a look at another one loses nothing. */
export type MarketDesk = ReturnType<typeof openDesk>;

const desks = new WeakMap<Session, MarketDesk>();

/** The desk of a session, which is opened once. */
export function marketDesk(session: Session): MarketDesk {
  const known = desks.get(session);
  if (known !== undefined) return known;
  const desk = openDesk(session);
  desks.set(session, desk);
  return desk;
}

/** Reads what an address asks for; what was read before stays where it asks for nothing. */
export function readAsked(desk: MarketDesk, query: string | undefined): void {
  const isFresh = desk.reading.state.value.phase === "idle";
  if (query === undefined && !isFresh) return;
  desk.choice.set({ ...askedChoice(query ?? "", desk.first), isRead: false });
  readChosen(desk);
}

/** Begins to read what was chosen, if there is such a time. */
export function readChosen({ choice, reading }: MarketDesk): void {
  const chosen = choice.value;
  const settle = (): void => {
    if (choice.value === chosen) choice.change({ isRead: true });
  };
  const toMs = untilMs(chosen.until, servicePlatform.now());
  if (toMs === undefined) settle();
  else void reading.begin({ symbol: chosen.symbol, fromMs: toMs - spanMs(chosen), toMs }, settle);
}

function openDesk(session: Session) {
  const gauges = new LiveState<readonly Gauge[]>(contractGauges(session));
  const readingWait = new LiveState<Wait | undefined>(undefined);
  const spendingWait = new LiveState<Wait | undefined>(undefined);
  const watched = (wait: LiveState<Wait | undefined>) =>
    watchedPlatform(servicePlatform, {
      answered: ({ headers }, atMs) => {
        const told = gaugesOf(headers, atMs);
        if (told.length > 0) gauges.set(told);
      },
      waits: (begun) => wait.set(begun),
    });
  const { apiKey, privateJwk: privateKey } = session.credentials.exchange;
  const { headerPrefix } = session.brand;
  const { exchange } = new Countinghouse({
    baseUrl: ownBase(session),
    exchange: { apiKey, headerPrefix, privateKey },
    ...watched(readingWait),
  });
  const first = firstChoice(session.credentials.exchange.symbol);
  return {
    first,
    /** `isRead` says whether it is what was read last, or is being read. */
    choice: new LiveState({ ...first, isRead: false }),
    reading: new TradeReading(exchange),
    spending: spendingOf(session, watched(spendingWait)),
    /** Tokens that a request of the spending costs. */
    spendingCost: SPENDING_DAYS,
    /** The buckets of tokens as the last answer described them; before the first, full by the contract. */
    gauges,
    /** The pause that the reading, or the spending, is in. */
    readingWait,
    spendingWait,
    /** The stretch of time that the chart shows; undefined for all that was asked for. */
    view: new LiveState<View | undefined>(undefined),
  };
}

/** The page asks its own origin, by whichever name of the machine it was opened. */
const ownBase = ({ baseUrl }: Session): string =>
  `${location.origin}${new URL(baseUrl).pathname}`.replace(/\/+$/, "");

const limitOf = ({ endpoints }: Session) => endpoints.find(({ name }) => name === "list-trades");

const contractGauges = (session: Session): readonly Gauge[] =>
  (limitOf(session)?.limit.buckets ?? []).map(({ name, burst, refillTokens, refillWindowMs }) => ({
    name,
    burst,
    fillMs: (burst / refillTokens) * refillWindowMs,
    left: burst,
    atMs: 0,
  }));

/** A spending's requests ask for one trade of the longest window: they cost much, and are answered fast. */
function spendingOf(session: Session, platform: ReturnType<typeof watchedPlatform>): Spending {
  const { apiKey, privateJwk: privateKey, symbol } = session.credentials.exchange;
  const key = { apiKey, headerPrefix: session.brand.headerPrefix, sign: signerOf(privateKey) };
  const ask = async (signal: AbortSignal): Promise<Response> => {
    const url = urlOf(ownBase(session), routes["list-trades"], { symbol });
    const now = platform.now();
    url.searchParams.set("start_date", String(now - SPENDING_DAYS * DAY_MS));
    url.searchParams.set("end_date", String(now));
    url.searchParams.set("limit", "1");
    return platform.fetch(url.href, { headers: await signedHeaders(url, key, now), signal });
  };
  const retryAfterUnit = limitOf(session)?.retryAfterUnit ?? "milliseconds";
  return new Spending({ ask, cost: SPENDING_DAYS, retryAfterUnit, platform });
}
