import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Clock } from "../../lib/clock.ts";
import { isId } from "../../lib/id.ts";
import { cutElements, cutMembers } from "../../lib/ingest/cut-json.ts";
import { type Instant, microsKey, parseInstant } from "../../lib/instant.ts";
import { type Continuation, readCursor, writeCursor } from "../../lib/trades/cursor.ts";
import { resolveWindow } from "../../lib/trades/date-range.ts";
import { SEGMENT_SPAN_MS } from "../../lib/trades/segment.ts";
import { lastPlaceAt } from "../../lib/trades/segment-key.ts";
import { createdKey } from "../../lib/transactions/created-key.ts";
import { linkTo } from "../../lib/transactions/list-transactions.ts";

/** A page without records in place of another one. */
interface EmptyPage {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type MakeEmptyPage = (event: APIGatewayProxyEventV2, body: string, clock: Clock) => EmptyPage | undefined;

/**
 * For each list, an empty page in place of an answer, whose next page begins with the very records of the answer;
 * undefined where there is none of another address than the request's own.
 */
export const emptyPages: ReadonlyMap<string, MakeEmptyPage> = new Map([
  ["list-transactions", noTransactions],
  ["list-trades", noTrades],
]);

/** The lowest character of an id: no other id stands between an id and the same with it at its end. */
const JUST_AFTER = "-";

function noTransactions(
  { rawQueryString }: APIGatewayProxyEventV2,
  body: string,
  clock: Clock,
): EmptyPage | undefined {
  const { id, created_at: created } = readMembers(cutElements(body)[0] ?? "{}") as Readonly<
    Record<string, string>
  >;
  const instant = created === undefined ? undefined : parseInstant(created);
  const position = `${id}${JUST_AFTER}`;
  if (instant === undefined || !isId(position)) return undefined;
  const now = parseInstant(new Date(clock()).toISOString()) as Instant;
  const { Link: link } = linkTo(createdKey(microsKey(instant), position), rawQueryString, now);
  return { body: "[]", headers: { link } };
}

function noTrades(event: APIGatewayProxyEventV2, body: string, clock: Clock): EmptyPage | undefined {
  const symbol = event.pathParameters?.symbol ?? "";
  const { data = "[]", metadata = "{}" } = Object.fromEntries(cutMembers(body));
  const { tdt: tradedAt, tid: id } = readMembers(cutElements(data)[0] ?? "{}") as {
    tdt?: number;
    tid?: string;
  };
  if (tradedAt === undefined || id === undefined) return undefined;
  const { timestamp, next_cursor: after } = readMembers(metadata) as {
    timestamp: number;
    next_cursor?: string;
  };
  const { cursor: sent, start_date: start, end_date: end } = event.queryStringParameters ?? {};
  const known = sent ?? after;
  const dates = { startMs: start && Number(start), endMs: end && Number(end) } as Parameters<
    typeof resolveWindow
  >[0];
  const listing: Omit<Continuation, "position" | "resumeAt"> =
    known === undefined
      ? { window: resolveWindow(dates, timestamp), begunAt: timestamp, yield: 1 }
      : readCursor(symbol, known, clock());
  const resumeAt = lastPlaceAt(tradedAt + SEGMENT_SPAN_MS);
  const cursor = writeCursor(symbol, { ...listing, position: { tradedAt, id }, resumeAt });
  if (cursor === sent) return undefined;
  return { body: JSON.stringify({ data: [], metadata: { timestamp, next_cursor: cursor } }) };
}

/** The members of an object whose values are texts and whole numbers. */
const readMembers = (text: string): unknown => JSON.parse(text);
