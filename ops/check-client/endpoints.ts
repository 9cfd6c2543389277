import { apiKey } from "../../lib/auth/api-key.ts";
import { IssuerKeySet } from "../../lib/auth/key-set.ts";
import { signedRequest } from "../../lib/auth/signed-request.ts";
import { trustIssuer } from "../../lib/auth/trust-issuer.ts";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { Failure } from "../../lib/errors.ts";
import type { Parameters as ParametersOf } from "../../lib/http/parameters.ts";
import { isSymbol, marketOf } from "../../lib/markets/market.ts";
import { authenticateWallet } from "../../lib/passes/authenticate-wallet.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { planGetPass } from "../../lib/passes/get-pass.ts";
import { getSellOrder } from "../../lib/sell-orders/contract.ts";
import { planGetSellOrder } from "../../lib/sell-orders/get-sell-order.ts";
import { defaultFreshness } from "../../lib/signature/settings.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { readCursor as readTradeCursor, requireSameDates, writeCursor } from "../../lib/trades/cursor.ts";
import { costOf, resolveWindow, type Window } from "../../lib/trades/date-range.ts";
import { listTransactions } from "../../lib/transactions/contract.ts";
import { createdKey, idAt } from "../../lib/transactions/created-key.ts";
import { readCursor } from "../../lib/transactions/cursor.ts";
import { getTransactionAsRead, planGetTransaction } from "../../lib/transactions/get-transaction.ts";
import { planListTransactions } from "../../lib/transactions/list-transactions.ts";
import type { TransactionPage, TransactionQuery } from "../../lib/transactions/transaction-page.ts";
import { localAudiences } from "../../local/identity/local-identity.ts";
import { oneOffPassSettings, oneOffTokenEnv } from "../one-off-keys/one-off-keys.ts";
import type { Issued } from "./credentials.ts";
import { Listings, type Span } from "./listings.ts";
import type { Step } from "./play.ts";
import { passOf, sampleStates, sampleTypes, sellOrderOf, tradeOf, transactionOf } from "./sample-records.ts";
import { type Question, type ScriptedEndpoint, scriptEndpoint } from "./scripted-endpoint.ts";

export interface EndpointOptions {
  readonly issued: Issued;
  readonly brand: Brand;
  readonly clock: Clock;
}

/** The lifetime of the lookup by request id, as a stage sets it. */
const LIFECYCLE = {
  basePath: "",
  deprecatedAt: "2026-07-01T00:00:00Z",
  sunsetAt: "2036-07-01T00:00:00Z",
} as const;

/** Every endpoint of the service, with credentials that are really verified. */
export function scriptedEndpoints({ issued, brand, clock }: EndpointOptions): readonly ScriptedEndpoint[] {
  const credentials = {
    get: async (id: string) => issued.registered.get(id),
    getAll: async (ids: readonly string[]) => ids.flatMap((id) => issued.registered.get(id) ?? []),
  };
  const signed = signedRequest({ brand, freshness: defaultFreshness, credentials, clock });
  const businessTokens = { ...oneOffTokenEnv(localAudiences.business), TOKEN_LIFETIME_DAYS_MAX: 2 };
  const url = new URL(businessTokens.TOKEN_JWKS_URL);
  const keys = new IssuerKeySet({ url, clock, fetchText: async () => issued.jwks });
  const passSettings = oneOffPassSettings(brand.versionHeader);
  const wallet = authenticateWallet(passSettings, { credentials, registrations: credentials }, keys, clock);
  const business = { authenticate: trustIssuer(businessTokens, keys, credentials, clock), clock };
  return [
    tradesEndpoint({ authenticate: signed, venue: brand.venue, clock }),
    transactionList(business),
    transactionRecord(business),
    sellOrders({ authenticate: apiKey({ credentials, clock }), ownAccount: brand.ownAccount, clock }),
    passes({ authenticate: wallet, versionHeader: brand.versionHeader, clock }),
  ];
}

/** How an endpoint knows its callers and the time. */
type Access = Pick<Parameters<typeof scriptEndpoint>[0], "authenticate" | "clock">;

function transactionList(business: Access): ScriptedEndpoint {
  const listings = new Listings();
  return scriptEndpoint({
    ...business,
    contract: listTransactions,
    interfaceName: "business",
    manner: "list",
    questionOf: ({ query }, { rawQuery }) => transactionsQuestion(query, rawQuery),
    plan: (step) =>
      planListTransactions(
        { page: async (search) => pageOfTransactions(step, search, listings) },
        business.clock,
      ),
  });
}

const transactionRecord = (business: Access): ScriptedEndpoint =>
  scriptEndpoint({
    ...business,
    contract: getTransactionAsRead,
    interfaceName: "business",
    manner: "record",
    questionOf: ({ path }) => ({ subject: path.id }),
    plan: (step) => {
      const find = async (_: string, id: string): Promise<string> => {
        const createdAt = new Date(business.clock()).toISOString();
        const [type, state] = step.scene.isOfFailure
          ? (["transfer", "failed"] as const)
          : (["card_payment", "completed"] as const);
        return transactionOf(step, { id, createdAt, type, state });
      };
      const isPast = step.scene.changes?.some(({ kind }) => kind === "past-sunset") === true;
      const sunset = isPast && { sunsetAt: new Date(business.clock()).toISOString() };
      const lifecycle = { ...LIFECYCLE, ...sunset };
      return planGetTransaction({ get: find, getNewestByRequestId: find }, lifecycle, business.clock);
    },
  });

const sellOrders = ({ ownAccount, ...access }: Access & { readonly ownAccount: string }): ScriptedEndpoint =>
  scriptEndpoint({
    contract: getSellOrder,
    interfaceName: "ramp",
    manner: "record",
    ...access,
    questionOf: ({ path }) => ({ subject: path.order_id }),
    plan: (step) =>
      planGetSellOrder({
        get: async (_, id) => sellOrderOf(step, id, ownAccount, new Date(access.clock()).toISOString()),
      }),
  });

const passes = ({
  versionHeader,
  ...access
}: Access & { readonly versionHeader: string }): ScriptedEndpoint =>
  scriptEndpoint({
    contract: getPass,
    interfaceName: "passes",
    manner: "poll",
    ...access,
    questionOf: ({ path }) => ({ subject: path.partner_reference }),
    plan: (step) => {
      const current = { state: "current", version: 1, templateId: undefined } as const;
      const get = async (reference: string) => ({ ...current, text: passOf(step, reference) });
      return planGetPass({ get }, versionHeader);
    },
  });

type AskedTrades = ParametersOf<typeof listTrades>;

/** The listing of trades: real windows and real cursors, over the pages of a scene. */
export function tradesEndpoint({ venue, ...access }: Access & { readonly venue: string }): ScriptedEndpoint {
  const listings = new Listings();
  return scriptEndpoint({
    contract: listTrades,
    interfaceName: "exchange",
    manner: "list",
    ...access,
    questionOf: (asked) => tradesQuestion(asked, access.clock()),
    plan: (step) => async (asked) => {
      const now = access.clock();
      const window = windowOf(asked, now);
      return {
        cost: costOf(window),
        answer: async () => {
          const trades = pageOfTrades(step, asked, { window, venue, listings });
          const next = step.isLast ? undefined : cursorOf(asked.path.symbol, window, step, now);
          const metadata = JSON.stringify({ timestamp: now, next_cursor: next });
          return { body: `{"data":[${trades.join(",")}],"metadata":${metadata}}` };
        },
      };
    },
  });
}

function windowOf({ path, query }: AskedTrades, now: number): Window {
  const { cursor, start_date: startMs, end_date: endMs } = query;
  if (cursor === undefined) return resolveWindow({ startMs, endMs }, now);
  const { window } = readTradeCursor(path.symbol, cursor, now);
  requireSameDates(window, { startMs, endMs });
  return window;
}

/** The id of a cursor's position has the numbers of the act and the station, sixteen digits each. */
function tradesQuestion(asked: AskedTrades, now: number): Question {
  const { path, query } = asked;
  if (!isSymbol(path.symbol))
    throw new Failure("unknown_symbol", `No such pair: ${path.symbol.slice(0, 41)}`);
  windowOf(asked, now);
  const subject = [path.symbol, query.start_date, query.end_date, query.limit].join(" ");
  if (query.cursor === undefined) return { subject };
  const { id } = readTradeCursor(path.symbol, query.cursor, now).position;
  return { subject, cursor: { act: Number(id.slice(0, 16)), station: Number(id.slice(16)) } };
}

function pageOfTrades(
  step: Step,
  { path: { symbol }, query }: AskedTrades,
  { window, venue, listings }: { window: Window; venue: string; listings: Listings },
): readonly string[] {
  const sample = { market: marketOf(symbol), venue };
  const span = { first: Math.max(0, window.startMs), last: window.endMs };
  return listings.page(step, { subject: symbol, span, limit: query.limit }, (place, tradedAt) =>
    tradeOf(step, `${symbol}/${step.act}/${place}`, { ...sample, tradedAt }),
  );
}

function cursorOf(symbol: string, window: Window, { act, station }: Step, now: number): string {
  const id = `${act}`.padStart(16, "0") + `${station + 1}`.padStart(16, "0");
  const position = { tradedAt: window.endMs, id };
  return writeCursor(symbol, { window, begunAt: now, position, resumeAt: position, yield: 1 });
}

/** The length of a window whose beginning is left open. */
const OPEN_MS = 60_000;

/** What a request for the list asks for. @throws {Failure} for a cursor that no link gave. */
function transactionsQuestion(
  { cursor }: { readonly cursor?: string | undefined },
  rawQuery: string,
): Question {
  if (cursor === undefined) return { subject: rawQuery };
  const [, act, station] = /^page-(\d+)-(\d+)$/.exec(idAt(readCursor(cursor) ?? "")) ?? [];
  if (act === undefined || station === undefined)
    throw new Failure(
      "invalid_cursor",
      "cursor: did not come from a Link of this list; use the Link unchanged.",
    );
  return { subject: rawQuery, cursor: { act: Number(act), station: Number(station) } };
}

/** The one of some words that a place, counted from 1, has: the same one in each listing. */
const inTurn = <Word>(words: readonly Word[], place: number): Word =>
  words[(place - 1) % words.length] as Word;

/** The page of a step. */
function pageOfTransactions(step: Step, search: TransactionQuery, listings: Listings): TransactionPage {
  const { fromMicros: _from, toMicros: _to, count, position: _position, ...filters } = search;
  const span = spanOf(search);
  const asked = { subject: JSON.stringify(filters), span, limit: count };
  const docs = listings.page(step, asked, (place, instant) =>
    transactionOf(step, {
      id: `tx-${step.act}-${place}`,
      createdAt: new Date(instant).toISOString(),
      type: inTurn(search.types ?? sampleTypes, place),
      state: inTurn(search.states ?? sampleStates, place),
    }),
  );
  if (step.isLast) return { docs };
  const micros = String(span.last * 1_000).padStart(18, "0");
  return { docs, next: createdKey(micros, `page-${step.act}-${step.station + 1}`) };
}

/** The window in whole milliseconds: `from` is included, and `to` is not. */
function spanOf({ fromMicros, toMicros = "0" }: TransactionQuery): Span {
  const last = Math.max(0, Math.ceil(Number(toMicros) / 1_000) - 1);
  const first = fromMicros === undefined ? last - OPEN_MS : Math.ceil(Number(fromMicros) / 1_000);
  return { first: Math.min(last, Math.max(0, first)), last };
}
