import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { isId } from "../../lib/id.ts";
import { instantOf, microsKey, parseInstant } from "../../lib/instant.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { readCursor, writeCursor } from "../../lib/trades/cursor.ts";
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

type MakeEmptyPage = (event: APIGatewayProxyEventV2, body: string, now: number) => EmptyPage | undefined;

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
  now: number,
): EmptyPage | undefined {
  const [first] = JSON.parse(body) as readonly { readonly id: string; readonly created_at: string }[];
  const createdAt = first && parseInstant(first.created_at);
  const position = `${first?.id}${JUST_AFTER}`;
  if (createdAt === undefined || !isId(position)) return undefined;
  const key = createdKey(microsKey(createdAt), position);
  const { Link: link } = linkTo(key, rawQueryString, instantOf(now));
  return { body: "[]", headers: { link } };
}

/** What is read of a page of trades. */
interface Listed {
  readonly data: readonly { readonly tdt: number; readonly tid: string }[];
  readonly metadata: { readonly timestamp: number; readonly next_cursor?: string };
}

function noTrades(
  { pathParameters, queryStringParameters = {} }: APIGatewayProxyEventV2,
  body: string,
  now: number,
): EmptyPage | undefined {
  const symbol = pathParameters?.symbol ?? "";
  const { data, metadata } = JSON.parse(body) as Listed;
  const [first] = data;
  if (first === undefined) return undefined;
  const { timestamp } = metadata;
  const {
    cursor: sent,
    start_date: startMs,
    end_date: endMs,
  } = listTrades.query.parse(queryStringParameters);
  const known = sent ?? metadata.next_cursor;
  const listing =
    known === undefined
      ? { window: resolveWindow({ startMs, endMs }, timestamp), begunAt: timestamp, yield: 1 }
      : readCursor(symbol, known, now);
  const position = { tradedAt: first.tdt, id: first.tid };
  const resumeAt = lastPlaceAt(first.tdt + SEGMENT_SPAN_MS);
  const cursor = writeCursor(symbol, { ...listing, position, resumeAt });
  if (cursor === sent) return undefined;
  return { body: JSON.stringify({ data: [], metadata: { timestamp, next_cursor: cursor } }) };
}
