import cliProgress from "cli-progress";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { askWhether, canAsk } from "../terminal/ask.ts";
import { durationText, timeLeft } from "../terminal/time-left.ts";
import { type Question, spanOf } from "./download-files.ts";
import { estimateRest, estimateText, isLong, type Seen } from "./estimate.ts";

/** How far a download is: the parts of its state that people are told. */
interface Told {
  readonly asked: Question;
  readonly written: { readonly records: number };
  /** Undefined before the first page. */
  readonly position?: unknown;
  readonly reachedMs: number;
  readonly isComplete: boolean;
}

interface WatchOptions {
  readonly question: Question;
  /** Whether a long download begins without a question. */
  readonly isAgreed: boolean;
  /** Whether progress is shown. */
  readonly hasDisplay: boolean;
}

/** A person does not want so much. What was read until then is kept. */
export class Declined extends OperatorError {}

/** What the person at the terminal is told and asked while a download runs. */
export class DownloadWatch {
  readonly #options: WatchOptions;
  #seen: Seen | undefined;
  #stop: (() => void) | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** What was read so far, in words; undefined before the first page. */
  get told(): string | undefined {
    return this.#seen && `${inThousands(this.#seen.records)} ${this.#options.question.get}`;
  }

  /**
   * Is told how far the download is. After the first page it gives the estimate, unless that was the last one.
   *
   * @throws {Declined} when a person does not want so much.
   */
  async see({ asked, written: { records }, position, reachedMs, isComplete }: Told): Promise<void> {
    if (position === undefined) return;
    const isFirst = this.#seen === undefined;
    this.#seen = { records, reachedMs };
    if (isFirst && !isComplete) await this.#begin(asked, this.#seen);
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async #begin(question: Question, seen: Seen): Promise<void> {
    const estimate = estimateRest(question, seen);
    if (estimate === undefined && question.from !== undefined) return;
    console.error(estimateText(question, estimate));
    const isDoubtful = estimate !== undefined && isLong(estimate) && !this.#options.isAgreed;
    if (isDoubtful && canAsk() && !(await askWhether("Go on?")))
      throw new Declined("Not downloaded any further.");
    if (!this.#options.hasDisplay) return;
    const records = () => this.#seen?.records ?? 0;
    const reachedMs = () => this.#seen?.reachedMs;
    this.#stop = showDownload({ question, records, reachedMs }, systemClock);
  }
}

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;
/** Narrower terminals have no room for a bar beside the words. */
const BAR_COLUMNS = 80;
const BAR_WIDTH = 10;

/** A download as its progress is read. */
interface Watched {
  readonly question: Question;
  /** Records in the file. */
  readonly records: () => number;
  /** Everything later was read, in epoch milliseconds; undefined before the first page. */
  readonly reachedMs: () => number | undefined;
}

/** Figures of a download in words, and the share of it that is done. */
interface Figures {
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
const showDownload = (watched: Watched, clock: Clock): (() => void) =>
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
