import type { Clock } from "../../lib/clock.ts";
import { Failure } from "../../lib/errors.ts";
import type { Parameters } from "../../lib/http/parameters.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { isSymbol, marketOf } from "../../lib/markets/market.ts";
import type { Authenticate } from "../../lib/principal.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { readCursor, requireSameDates, writeCursor } from "../../lib/trades/cursor.ts";
import { costOf, resolveWindow, type Window } from "../../lib/trades/date-range.ts";
import { Listings } from "./listings.ts";
import type { Step } from "./play.ts";
import { tradeOf } from "./sample-records.ts";
import { type Given, type Question, type ScriptedEndpoint, scriptEndpoint } from "./scripted-endpoint.ts";

export interface TradesOptions {
  readonly authenticate: Authenticate<HttpRequest>;
  readonly venue: string;
  readonly clock: Clock;
}

type Asked = Parameters<typeof listTrades>;

/** The listing of trades: real windows and real cursors, over the pages of a scene. */
export function tradesEndpoint({ authenticate, venue, clock }: TradesOptions): ScriptedEndpoint {
  const listings = new Listings();
  return scriptEndpoint({
    contract: listTrades,
    interfaceName: "exchange",
    manner: "list",
    authenticate,
    clock,
    questionOf: (asked) => questionOf(asked, clock()),
    plan: (step, given) => async (asked) => {
      const window = windowOf(asked, clock());
      return {
        cost: costOf(window),
        answer: async () => ({
          body: pageText(step, { ...asked, window, venue, now: clock(), listings }, given),
        }),
      };
    },
  });
}

function windowOf({ path, query }: Asked, now: number): Window {
  const { cursor, start_date: startMs, end_date: endMs } = query;
  if (cursor === undefined) return resolveWindow({ startMs, endMs }, now);
  const { window } = readCursor(path.symbol, cursor, now);
  requireSameDates(window, { startMs, endMs });
  return window;
}

/** The id of a cursor's position has the numbers of the act and the station, sixteen digits each. */
function questionOf(asked: Asked, now: number): Question {
  const { path, query } = asked;
  if (!isSymbol(path.symbol))
    throw new Failure("unknown_symbol", `No such pair: ${path.symbol.slice(0, 41)}`);
  windowOf(asked, now);
  const subject = [path.symbol, query.start_date, query.end_date, query.limit].join(" ");
  if (query.cursor === undefined) return { subject };
  const { id } = readCursor(path.symbol, query.cursor, now).position;
  return { subject, cursor: { act: Number(id.slice(0, 16)), station: Number(id.slice(16)) } };
}

interface Page extends Asked {
  readonly window: Window;
  readonly venue: string;
  readonly now: number;
  readonly listings: Listings;
}

/** A page's text. */
function pageText(step: Step, { path, query, window, venue, now, listings }: Page, given: Given): string {
  const { symbol } = path;
  const sample = { market: marketOf(symbol), venue };
  const span = { first: Math.max(0, window.startMs), last: window.endMs };
  const trades = listings.page(step, { subject: symbol, span, limit: query.limit }, (place, tradedAt) =>
    tradeOf(step, `${symbol}/${step.act}/${place}`, { ...sample, tradedAt }),
  );
  given.records = trades;
  const data = trades.map(({ text }) => text).join(",");
  if (step.isLast) return `{"data":[${data}],"metadata":{"timestamp":${now}}}`;
  given.next = cursorOf(symbol, window, step, now);
  return `{"data":[${data}],"metadata":{"timestamp":${now},"next_cursor":"${given.next}"}}`;
}

function cursorOf(symbol: string, window: Window, { act, station }: Step, now: number): string {
  const id = `${act}`.padStart(16, "0") + `${station + 1}`.padStart(16, "0");
  const position = { tradedAt: window.endMs, id };
  return writeCursor(symbol, { window, begunAt: now, position, resumeAt: position, yield: 1 });
}
