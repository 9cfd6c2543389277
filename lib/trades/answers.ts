import type { Call } from "../http/call.ts";
import type { Answer } from "../http/respond.ts";
import type { listTrades } from "./contract.ts";
import { type ListTradesParts, listPage, requireAnswerable, type TradesQuestion } from "./list-trades.ts";
import { DamagedSegment } from "./read-segment.ts";
import { reportDamage } from "./report-damage.ts";

type TradesCall = Call<typeof listTrades>;

/** The endpoint's two steps: what is checked before a caller is charged, and the answer. */
export function answerTrades(given: ListTradesParts) {
  const parts = { ...given, yields: new Map<string, number>() };
  return {
    precheck: (call: TradesCall): Promise<void> => requireAnswerable(questionOf(call), parts),
    answer: async (call: TradesCall): Promise<Answer> => ({
      body: await reportedPage(questionOf(call), parts),
    }),
  };
}

async function reportedPage(question: TradesQuestion, parts: ListTradesParts): Promise<string> {
  try {
    return await listPage(question, parts);
  } catch (error) {
    if (error instanceof DamagedSegment) reportDamage(question.symbol, error, parts.clock);
    throw error;
  }
}

const questionOf = ({ path, query }: TradesCall): TradesQuestion => ({
  symbol: path.symbol,
  startMs: query.start_date,
  endMs: query.end_date,
  cursor: query.cursor,
  limit: query.limit,
});
