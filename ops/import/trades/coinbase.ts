import { epochMsOf, parseInstant } from "../../../lib/instant.ts";
import { DocumentViolation, isExactNumber, parseExactJson } from "../../../lib/json/exact-json.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { tradeIdOf } from "../../../lib/trades/trade-id.ts";
import type { Side } from "../../../lib/trades/trade-kinds.ts";
import { tradeViolation } from "../../../lib/trades/trade-rules.ts";
import { type ParsedLine, refuse, type TradeParser } from "./trade-source.ts";

const MATCH_TYPES = ["match", "last_match", ""];

/** A match has the side of the maker, whose order was waiting; the contract wants the taker's. */
const TAKER_OF_MAKER: ReadonlyMap<string, Side> = new Map([
  ["buy", "sell"],
  ["sell", "buy"],
]);

/**
 * Reads Coinbase's match messages, of its feed or of its product trades, one JSON document a line. A feed also holds
 * other products and other types of message, such as heartbeats: those lines are skipped.
 */
export function coinbaseParser(symbol: string): TradeParser {
  return (text) => {
    const member = membersOf(text);
    if (typeof member === "string") return refuse(member);
    const [type, product] = [member("type"), member("product_id")];
    if (!MATCH_TYPES.includes(type)) return { passedOver: "other type", name: type };
    if (product !== "" && product !== symbol) return { passedOver: "other market", name: product };
    return parseMatch(member);
  };
}

/** A document's members as text, "" for absent ones; or why the document cannot be read. */
function membersOf(text: string): ((name: string) => string) | string {
  try {
    const document = parseExactJson(text);
    if (typeof document !== "object" || document === null || Array.isArray(document))
      return "the document must be a JSON object";
    const members = new Map<string, unknown>(Object.entries(document));
    return (name) => {
      const value = members.get(name);
      if (isExactNumber(value)) return value.rawJSON;
      return typeof value === "string" ? value : "";
    };
  } catch (error) {
    if (error instanceof DocumentViolation) return error.message;
    throw error;
  }
}

function parseMatch(member: (name: string) => string): ParsedLine {
  const instant = parseInstant(member("time"));
  if (instant === undefined) return refuse("time must be a date and time with zone");
  const id = tradeIdOf(member("trade_id"));
  if (id === undefined) return refuse("trade_id must be a number");
  const side = TAKER_OF_MAKER.get(member("side"));
  if (side === undefined) return refuse("side must be buy or sell");
  const tradedAt = epochMsOf(instant);
  const trade: Trade = {
    tradedAt,
    publishedAt: tradedAt,
    price: member("price"),
    quantity: member("size"),
    id,
    side,
  };
  const violation = tradeViolation(trade);
  return violation === undefined ? { trade } : refuse(violation);
}
