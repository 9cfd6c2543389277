import type { Second } from "../model/run.ts";
import type { Played } from "../report.ts";
import { chart, type Hue, lineAt, px, textAt } from "./svg.ts";

const WIDTH = 820;
const HEIGHT = 340;
const LEFT = 60;
const RIGHT = 130;
const TOP = 20;
const BOTTOM = 290;
const RATE_MAX = 2_000;
const RATE_STEP = 500;
/** Seconds that a point of a line is the mean of, so that chance does not hide the line's course. */
const POINT_SECONDS = 5;
const HUES: readonly Hue[] = ["market", "owner", "all"];

const yOf = (rate: number): number => BOTTOM - ((BOTTOM - TOP) * Math.min(rate, RATE_MAX)) / RATE_MAX;

const xOf = (second: number, seconds: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * second) / seconds;

function points(seconds: readonly Second[], of: (second: Second) => number): readonly number[] {
  const means: number[] = [];
  for (let from = 0; from + POINT_SECONDS <= seconds.length; from += POINT_SECONDS) {
    const some = seconds.slice(from, from + POINT_SECONDS);
    means.push(some.reduce((sum, second) => sum + of(second), 0) / POINT_SECONDS);
  }
  return means;
}

function curve(rates: readonly number[], name: string, dashes = ""): string {
  const at = rates.map((rate, index) => `${px(xOf(index + 0.5, rates.length))},${px(yOf(rate))}`);
  return `<polyline class="line ${name}"${dashes} points="${at.join(" ")}"/>`;
}

/** First pages of one market that are served while more and more are asked for, by the number of its mirrors. */
export function marketChart(played: readonly Played[]): string {
  const [first] = played;
  if (first === undefined) throw new Error("Nothing was played.");
  const rates = Array.from({ length: RATE_MAX / RATE_STEP + 1 }, (_, at) => at * RATE_STEP);
  const minutes = Array.from({ length: first.seconds.length / 60 + 1 }, (_, at) => at);
  return chart(
    WIDTH,
    HEIGHT,
    "First pages of one market a second: asked for, and served with 1, 2 and 4 mirrors",
    [
      ...rates.flatMap((rate) => [
        lineAt(LEFT, yOf(rate), WIDTH - RIGHT, yOf(rate), "grid"),
        textAt(LEFT - 8, yOf(rate) + 4, rate.toLocaleString("en-US"), { anchor: "end", name: "quiet" }),
      ]),
      ...minutes.map((minute) =>
        textAt(xOf(minute * 60, first.seconds.length), BOTTOM + 18, `${minute} min`, {
          anchor: "middle",
          name: "quiet",
        }),
      ),
      ...played.flatMap(({ seconds, name }, at) => {
        const served = points(seconds, (second) => second.served);
        const label = name.split(", ").at(-1) ?? "";
        return [
          curve(served, HUES[at] ?? "other"),
          textAt(WIDTH - RIGHT + 8, yOf(served.at(-1) ?? 0) + 4, label),
        ];
      }),
      curve(
        points(first.seconds, ({ offered }) => offered),
        "other",
        ' stroke-dasharray="4 4"',
      ),
      textAt(LEFT, HEIGHT - 10, "first pages a second that are served; dashed: that are asked for", {
        name: "quiet",
      }),
    ],
  );
}
