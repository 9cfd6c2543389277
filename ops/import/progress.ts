import type { Clock } from "../../lib/clock.ts";
import type { LineRun } from "../../local/records/line-run.ts";
import { inThousands, lineCount, linesPerSecond, type Tally } from "../../local/records/tally.ts";
import { showWork } from "../terminal/show-work.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { durationText, SteadyPosition, timeLeft } from "../terminal/time-left.ts";
import type { Source } from "./open-source.ts";

const BAR = "{bar} {percentage} % | {lines} lines | {refused} refused | {rate} per second | {time}";
const WITHOUT_BAR = "{lines} lines | {refused} refused | {rate} per second | {time}";

/** The parts of a running import that its progress is read from. */
export interface Watched {
  readonly source: Pick<Source, "name" | "sizeBytes" | "readBytes">;
  readonly run: Pick<LineRun, "tally" | "read" | "passedOver">;
}

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

/** Shows a bar over the file's bytes on a terminal, elsewhere a line every five seconds; both on standard error. */
export function showProgress(watched: Watched, clock: Clock): () => void {
  const { source, run } = watched;
  const { sizeBytes } = source;
  const position = new SteadyPosition(sizeBytes ?? 0);
  const look = (tookMs: number) => {
    const at = position.at(doneBytes(watched), tookMs);
    const time = sizeBytes === undefined ? durationText(tookMs) : timeLeft(at / sizeBytes, tookMs);
    return { at, words: { ...figures(run.tally, tookMs), time } };
  };
  const line = (tookMs: number): string => {
    const { lines, refused, rate } = figures(run.tally, tookMs);
    const share = sizeBytes ? ` (${Math.floor((doneBytes(watched) * 100) / sizeBytes)} %)` : "";
    return `${terminalText(source.name)}: ${lines} lines${share}, ${refused} refused, ${rate} per second`;
  };
  const format = sizeBytes === undefined ? WITHOUT_BAR : BAR;
  return showWork({ format, total: sizeBytes ?? 0, look, line }, clock);
}
