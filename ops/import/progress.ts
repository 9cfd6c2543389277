import cliProgress from "cli-progress";
import type { Clock } from "../../lib/clock.ts";
import type { Source } from "./open-source.ts";
import { inThousands, lineCount, linesPerSecond, type Tally } from "./tally.ts";

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;

const BAR =
  "{bar} {percentage} % | {lines} lines | {refused} refused | {rate} per second | {eta_formatted} left";
const WITHOUT_BAR = "{lines} lines | {refused} refused | {rate} per second";

/** Shows how far an import has come, until the function that it returns is called. */
export type ShowProgress = (source: Source, tally: Readonly<Tally>, clock: Clock) => () => void;

const figures = (tally: Readonly<Tally>, tookMs: number) => ({
  lines: inThousands(lineCount(tally)),
  refused: inThousands(tally.refused),
  rate: inThousands(linesPerSecond(lineCount(tally), tookMs)),
});

const showBar: ShowProgress = (source, tally, clock) => {
  const startedAt = clock();
  const format = source.sizeBytes === undefined ? WITHOUT_BAR : BAR;
  const bar = new cliProgress.SingleBar(
    { format, stream: process.stderr, gracefulExit: false, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  const redraw = () => bar.update(source.readBytes(), figures(tally, clock() - startedAt));
  bar.start(source.sizeBytes ?? 0, 0, figures(tally, 0));
  const timer = setInterval(redraw, REDRAW_MS);
  return () => {
    clearInterval(timer);
    redraw();
    bar.stop();
  };
};

const showPlainLines: ShowProgress = (source, tally, clock) => {
  const startedAt = clock();
  const print = () => {
    const { lines, refused, rate } = figures(tally, clock() - startedAt);
    const share = source.sizeBytes ? ` (${Math.floor((source.readBytes() * 100) / source.sizeBytes)} %)` : "";
    console.error(`${source.name}: ${lines} lines${share}, ${refused} refused, ${rate} per second`);
  };
  const timer = setInterval(print, PLAIN_LINE_MS);
  return () => clearInterval(timer);
};

/** On a terminal a bar, over the file's bytes; elsewhere a plain line every five seconds. Both on standard error. */
export const showProgress: ShowProgress = (source, tally, clock) =>
  process.stderr.isTTY ? showBar(source, tally, clock) : showPlainLines(source, tally, clock);
