import cliProgress from "cli-progress";
import type { Clock } from "../../lib/clock.ts";
import { durationText } from "./time-left.ts";

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;

/** Work that goes on, as it is shown on standard error. */
interface WorkUnderWay {
  /** Of the bar, as cli-progress has it, with the words of `look` and the `time`. */
  readonly format: string;
  /** Where the bar ends. */
  readonly total: number;
  readonly barsize?: number;
  /** How far the work is, and its words, among them the `time` that is left. @param tookMs since the beginning. */
  readonly look: (tookMs: number) => {
    readonly at: number;
    readonly words: Readonly<Record<string, string>>;
  };
  /** The same without a terminal. */
  readonly line: (tookMs: number) => string;
}

/** Shows work until the returned function is called: as a bar on a terminal, elsewhere by a line every five seconds. */
export function showWork({ format, total, barsize, look, line }: WorkUnderWay, clock: Clock): () => void {
  const startedAt = clock();
  const tookMs = (): number => clock() - startedAt;
  if (!process.stderr.isTTY) {
    const timer = setInterval(() => console.error(line(tookMs())), PLAIN_LINE_MS);
    return () => clearInterval(timer);
  }
  const options = { format, barsize, stream: process.stderr, gracefulExit: false, hideCursor: true };
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  const redraw = (time?: string): void => {
    const { at, words } = look(tookMs());
    bar.update(at, { ...words, ...(time !== undefined && { time }) });
  };
  const { at, words } = look(0);
  bar.start(total, at, { ...words, time: "…" });
  const timer = setInterval(redraw, REDRAW_MS);
  return () => {
    clearInterval(timer);
    redraw(`took ${durationText(tookMs())}`);
    bar.stop();
  };
}
