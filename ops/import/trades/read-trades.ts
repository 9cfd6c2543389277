import { type Clock, systemClock } from "../../../lib/clock.ts";
import { instantViolation, isAncient } from "../../../lib/trades/instant-sense.ts";
import type { MarketConstants } from "../../../lib/trades/trade-text.ts";
import type { Line } from "../../../local/records/read-lines.ts";
import { inThousands } from "../../../local/records/tally.ts";
import { LEFT_OUT, NameCounts, shownMarket } from "../name-counts.ts";
import { type TradeFormat, tradeFormats } from "./formats.ts";
import { type ParsedLine, refuse, type TradeParser } from "./trade-source.ts";

/** How a file of trades is read. */
export interface TradeReading {
  readonly symbol: string;
  /** What all trades of the market have. */
  readonly market: MarketConstants;
  readonly venue: string;
  readonly format: TradeFormat;
  /** Whether members that the contract does not have are left out. */
  readonly dropsUnknown?: boolean;
  /** Whether a last line without a newline is accepted, although its last number may have been cut off. */
  readonly takesLastLine: boolean;
  /** Whether trades are taken back. Their times are then not judged, because wrong trades may have wrong times. */
  readonly isWithdrawal?: boolean;
  readonly clock?: Clock;
}

const CUT_OFF =
  "the line must end with a newline: its last number may be cut off (--last-line accepts the line)";

/** The most trades before 2009 that are listed one by one. */
const ANCIENT_LISTED_MAX = 1_000;
const ANCIENT = "tdt or pdt lies before 2009: is it in seconds?";

/** Reads the lines of one file of trades, in their order, and counts what its closing report tells of them. */
export class TradeReader {
  readonly #reading: TradeReading;
  readonly #parse: TradeParser;
  readonly #dropped = new NameCounts();
  readonly #markets = new NameCounts();
  readonly #types = new NameCounts();
  #ancient = 0;

  constructor(reading: TradeReading) {
    this.#reading = reading;
    const { format, dropsUnknown, symbol, market, venue } = reading;
    const onDropped = (member: string) => this.#dropped.add(member);
    this.#parse = tradeFormats[format]({
      symbol,
      market,
      venue,
      ...(dropsUnknown === true && { onDropped }),
    });
  }

  /** What a line holds. A last line that may have been cut off is refused unless it is accepted. */
  read(line: Line): ParsedLine {
    if ("refusal" in line) return { refusal: line.refusal };
    // A JSON document that was cut off does not parse, but the rest of a number is still a number.
    const mayBeCutOff = line.isUnended === true && /\d$/.test(line.text);
    if (mayBeCutOff && !this.#reading.takesLastLine) return { refusal: CUT_OFF };
    const parsed = this.#parse(line.text);
    if ("trade" in parsed) return this.#judge(parsed);
    if ("name" in parsed)
      (parsed.passedOver === "other market" ? this.#markets : this.#types).add(shownMarket(parsed.name));
    return parsed;
  }

  /** Refuses a trade with impossible times, and counts one with doubtful ones. */
  #judge(parsed: Extract<ParsedLine, { trade: unknown }>): ParsedLine {
    const { isWithdrawal, clock = systemClock } = this.#reading;
    const violation = isWithdrawal === true ? undefined : instantViolation(parsed.trade, clock());
    if (violation !== undefined) return refuse(violation);
    if (!isAncient(parsed.trade)) return parsed;
    this.#ancient += 1;
    return this.#ancient > ANCIENT_LISTED_MAX ? parsed : { ...parsed, remark: ANCIENT };
  }

  /** Lines of the closing report. */
  remarks(): readonly string[] {
    const ancient = `Trades before 2009: ${inThousands(this.#ancient)}. Are their times in seconds? Epoch milliseconds have 13 digits.`;
    return [
      ...this.#markets.describe("Skipped lines of other markets"),
      ...this.#types.describe("Skipped lines of other types"),
      ...(this.#ancient > 0 ? [ancient] : []),
      ...this.#dropped.describe(LEFT_OUT),
    ];
  }
}
