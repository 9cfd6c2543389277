import cliProgress from "cli-progress";
import type { Clock } from "../../lib/clock.ts";
import type { LineRun } from "../../local/records/line-run.ts";
import { inThousands, lineCount, linesPerSecond, type Tally } from "../../local/records/tally.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { durationText, SteadyPosition, timeLeft } from "../terminal/time-left.ts";
import type { Source } from "./open-source.ts";

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;

const BAR = "{bar} {percentage} % | {lines} lines | {refused} refused | {rate} per second | {time}";
const WITHOUT_BAR = "{lines} lines | {refused} refused | {rate} per second | {time}";

/** The parts of a running import that its progress is read from. */
export interface Watched {
  readonly source: Pick<Source, "name" | "sizeBytes" | "readBytes">;
  readonly run: Pick<LineRun, "tally" | "read" | "passedOver">;
}

/** Shows the progress of an import until the returned function is called. */
export type ShowProgress = (watched: Watched, clock: Clock) => () => void;

const figures = (tally: Readonly<Tally>, tookMs: number) => ({
  lines: inThousands(lineCount(tally)),
  refused: inThousands(tally.refused),
  rate: inThousands(linesPerSecond(lineCount(tally), tookMs)),
});

/** An estimate of the bytes of finished lines: the bytes read, less the share of the lines that are still waiting. */
export function doneBytes({ source, run }: Watched): number {
  const dealtWith = lineCount(run.tally) + run.passedOver;
  return run.read === 0 ? 0 : source.readBytes() * Math.min(1, dealtWith / run.read);
}

const showBar: ShowProgress = (watched, clock) => {
  const { source, run } = watched;
  const { sizeBytes } = source;
  const startedAt = clock();
  const position = new SteadyPosition(sizeBytes ?? 0);
  const bar = new cliProgress.SingleBar(
    {
      format: sizeBytes === undefined ? WITHOUT_BAR : BAR,
      stream: process.stderr,
      gracefulExit: false,
      hideCursor: true,
    },
    cliProgress.Presets.shades_classic,
  );
  const redraw = (time?: string) => {
    const tookMs = clock() - startedAt;
    const done = position.at(doneBytes(watched), tookMs);
    const left = sizeBytes === undefined ? durationText(tookMs) : timeLeft(done / sizeBytes, tookMs);
    bar.update(done, { ...figures(run.tally, tookMs), time: time ?? left });
  };
  bar.start(sizeBytes ?? 0, 0, { ...figures(run.tally, 0), time: "…" });
  const timer = setInterval(redraw, REDRAW_MS);
  return () => {
    clearInterval(timer);
    redraw(`took ${durationText(clock() - startedAt)}`);
    bar.stop();
  };
};

const showPlainLines: ShowProgress = (watched, clock) => {
  const { source, run } = watched;
  const startedAt = clock();
  const print = () => {
    const { lines, refused, rate } = figures(run.tally, clock() - startedAt);
    const share = source.sizeBytes ? ` (${Math.floor((doneBytes(watched) * 100) / source.sizeBytes)} %)` : "";
    console.error(
      `${terminalText(source.name)}: ${lines} lines${share}, ${refused} refused, ${rate} per second`,
    );
  };
  const timer = setInterval(print, PLAIN_LINE_MS);
  return () => clearInterval(timer);
};

/** Shows a bar over the file's bytes on a terminal, elsewhere a line every five seconds; both on standard error. */
export const showProgress: ShowProgress = (watched, clock) =>
  process.stderr.isTTY ? showBar(watched, clock) : showPlainLines(watched, clock);
