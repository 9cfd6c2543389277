import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { askWhether, canAsk } from "../terminal/ask.ts";
import { showWork } from "../terminal/show-work.ts";
import { durationText, timeLeft } from "../terminal/time-left.ts";
import { type DownloadState, type Question, spanOf } from "./download-files.ts";
import { estimateRest, estimateText, isLong, type Seen } from "./estimate.ts";

/** How far a download is. Before the first page, its position is undefined. */
type Told = Pick<DownloadState, "asked" | "position" | "reachedMs" | "isComplete"> & {
  readonly written: Pick<DownloadState["written"], "records">;
};

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
    this.#stop = showDownload(() => figuresOf(question, this.#seen ?? seen));
  }
}

/** Narrower terminals have no room for a bar beside the words. */
const BAR_COLUMNS = 80;
const BAR_WIDTH = 10;

/** Figures of a download in words, and the share of it that is done. */
interface Figures {
  readonly records: string;
  /** The instant that was reached, to the minute. */
  readonly instant: string;
  /** 0 to 1; undefined when the question has no beginning. */
  readonly share: number | undefined;
}

/** The figures of a download that has come so far. */
export function figuresOf(question: Question, { records, reachedMs }: Seen): Figures {
  const { fromMs, toMs } = spanOf(question);
  const shown = new Date(Math.max(reachedMs, fromMs ?? reachedMs)).toISOString();
  const ofSpan = fromMs === undefined ? undefined : (toMs - reachedMs) / Math.max(1, toMs - fromMs);
  const ofLimit = question.limit === undefined ? undefined : records / question.limit;
  const shares = [ofSpan, ofLimit].filter((share) => share !== undefined);
  return {
    records: `${inThousands(records)} ${question.get}`,
    instant: shown.slice(0, 16).replace("T", " "),
    share: shares.length === 0 ? undefined : Math.min(1, Math.max(0, ...shares)),
  };
}

/** Shows the progress of a download on standard error until the returned function is called. */
function showDownload(figures: () => Figures): () => void {
  const begun = figures().share;
  const hasBar = begun !== undefined && process.stderr.columns >= BAR_COLUMNS;
  const format = `${hasBar ? "{bar} {percentage} % | " : ""}{records} | {instant} | {time}`;
  const look = (tookMs: number) => {
    const { share = 0, records, instant } = figures();
    // What an earlier run has read says nothing of the speed of this one.
    const time = begun === undefined ? durationText(tookMs) : timeLeft((share - begun) / (1 - begun), tookMs);
    return { at: share, words: { records, instant, time } };
  };
  const line = (tookMs: number): string => {
    const { records, instant, share } = figures();
    const percentage = share === undefined ? "" : `, ${Math.floor(share * 100)} %`;
    return `${records}, down to ${instant}${percentage}, ${durationText(tookMs)}`;
  };
  return showWork({ format, total: 1, barsize: BAR_WIDTH, look, line }, systemClock);
}
