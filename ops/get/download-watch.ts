import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { askWhether, canAsk } from "../terminal/ask.ts";
import { estimateRest, estimateText, isLong, type Seen } from "./estimate.ts";
import type { Question } from "./question.ts";
import { showDownload } from "./show-download.ts";

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
