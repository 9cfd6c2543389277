import cliProgress from "cli-progress";
import type { Clock } from "../../lib/clock.ts";
import { inThousands } from "../../local/records/tally.ts";
import { durationText, timeLeft } from "../terminal/time-left.ts";
import { type Question, spanOf } from "./question.ts";

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;
/** Narrower terminals have no room for a bar beside the words. */
const BAR_COLUMNS = 80;
const BAR_WIDTH = 10;

/** A download as its progress is read. */
export interface Watched {
  readonly question: Question;
  /** Records in the file. */
  readonly records: () => number;
  /** Everything later was read, in epoch milliseconds; undefined before the first page. */
  readonly reachedMs: () => number | undefined;
}

/** Figures of a download in words, and the share of it that is done. */
export interface Figures {
  readonly records: string;
  /** The instant that was reached, to the minute. */
  readonly instant: string;
  /** 0 to 1; undefined when the question has no beginning. */
  readonly share: number | undefined;
}

/** Reads the figures of a download. */
export function figuresOf({ question, records, reachedMs }: Watched): Figures {
  const { fromMs, toMs } = spanOf(question);
  const reached = reachedMs() ?? toMs;
  const shown = new Date(Math.max(reached, fromMs ?? reached)).toISOString();
  const ofSpan = fromMs === undefined ? undefined : (toMs - reached) / Math.max(1, toMs - fromMs);
  const ofLimit = question.limit === undefined ? undefined : records() / question.limit;
  const shares = [ofSpan, ofLimit].filter((share) => share !== undefined);
  return {
    records: `${inThousands(records())} ${question.get}`,
    instant: shown.slice(0, 16).replace("T", " "),
    share: shares.length === 0 ? undefined : Math.min(1, Math.max(0, ...shares)),
  };
}

/**
 * Shows the progress of a download on standard error until the returned function is called: a bar on a terminal, elsewhere
 * a line every five seconds.
 */
export const showDownload = (watched: Watched, clock: Clock): (() => void) =>
  process.stderr.isTTY ? showBar(watched, clock) : showLines(watched, clock);

function showLines(watched: Watched, clock: Clock): () => void {
  const startedAt = clock();
  const timer = setInterval(() => {
    const { records, instant, share } = figuresOf(watched);
    const percentage = share === undefined ? "" : `, ${Math.floor(share * 100)} %`;
    console.error(`${records}, down to ${instant}${percentage}, ${durationText(clock() - startedAt)}`);
  }, PLAIN_LINE_MS);
  return () => clearInterval(timer);
}

function showBar(watched: Watched, clock: Clock): () => void {
  const startedAt = clock();
  const begun = figuresOf(watched).share;
  const hasBar = begun !== undefined && process.stderr.columns >= BAR_COLUMNS;
  const words = "{records} | {instant} | {time}";
  const bar = new cliProgress.SingleBar(
    {
      format: hasBar ? `{bar} {percentage} % | ${words}` : words,
      barsize: BAR_WIDTH,
      stream: process.stderr,
      gracefulExit: false,
      hideCursor: true,
    },
    cliProgress.Presets.shades_classic,
  );
  const redraw = (end?: string) => {
    const { share = 0, ...figures } = figuresOf(watched);
    const tookMs = clock() - startedAt;
    // What an earlier run has read says nothing of the speed of this one.
    const left = begun === undefined ? durationText(tookMs) : timeLeft((share - begun) / (1 - begun), tookMs);
    bar.update(share, { ...figures, time: end ?? left });
  };
  bar.start(1, begun ?? 0, { ...figuresOf(watched), time: "…" });
  const timer = setInterval(redraw, REDRAW_MS);
  return () => {
    clearInterval(timer);
    redraw(`took ${durationText(clock() - startedAt)}`);
    bar.stop();
  };
}
