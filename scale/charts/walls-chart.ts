import type { CallWalls } from "../report.ts";
import { short } from "../terminal.ts";
import type { Scope } from "../walls.ts";
import { chart, type Hue, lineAt, px, textAt } from "./svg.ts";

const WIDTH = 820;
const LEFT = 220;
const RIGHT = 40;
const TOP = 60;
const ROW = 46;
const DECADES = [10, 100, 1_000, 10_000, 100_000] as const;
const FIRST = DECADES[0];
const LAST = DECADES[4];

const HUES: Readonly<Record<Scope, Hue>> = {
  "one owner": "owner",
  "one market": "market",
  "all callers": "all",
};

/** Where a rate lies on the axis, which is logarithmic. */
const xOf = (rate: number): number =>
  LEFT + ((WIDTH - LEFT - RIGHT) * Math.log10(rate / FIRST)) / Math.log10(LAST / FIRST);

/** A mark of its own shape for each scope, because not everybody tells the colours apart. */
function mark(scope: Scope, x: number, y: number): string {
  const name = HUES[scope];
  if (scope === "one owner") return `<circle class="${name}" cx="${px(x)}" cy="${px(y)}" r="6"/>`;
  const rotated = scope === "one market" ? ` transform="rotate(45 ${px(x)} ${px(y)})"` : "";
  return `<rect class="${name}" x="${px(x - 5)}" y="${px(y - 5)}" width="10" height="10"${rotated}/>`;
}

function row({ call, walls }: CallWalls, at: number): string[] {
  const y = TOP + ROW * at + ROW / 2;
  const [name = "", rest = ""] = call.split(", ");
  const scopes = Object.keys(HUES) as Scope[];
  const inside = walls.filter(({ callsPerSecond }) => callsPerSecond <= LAST);
  return [
    textAt(12, rest === "" ? y + 4 : y - 3, name),
    ...(rest === "" ? [] : [textAt(12, y + 13, rest, { name: "quiet" })]),
    ...inside.map(({ callsPerSecond }) =>
      lineAt(xOf(callsPerSecond), y - 5, xOf(callsPerSecond), y + 5, "other"),
    ),
    ...scopes.flatMap((scope) => {
      const lowest = walls.find((wall) => wall.scope === scope);
      if (lowest === undefined) return [];
      const x = xOf(lowest.callsPerSecond);
      return [mark(scope, x, y), textAt(x, y - 11, short(lowest.callsPerSecond), { anchor: "middle" })];
    }),
  ];
}

/** The first wall of each kind of call, for one owner, one market and all callers, and the others as small marks. */
export function wallsChart(calls: readonly CallWalls[]): string {
  const bottom = TOP + ROW * calls.length;
  const legend = (Object.keys(HUES) as Scope[]).flatMap((scope, at) => {
    const x = LEFT + 130 * at;
    return [mark(scope, x, 24), textAt(x + 14, 28, scope)];
  });
  return chart(WIDTH, bottom + 50, "Calls a second at which each kind of call meets its first wall", [
    ...legend,
    lineAt(LEFT + 390, 19, LEFT + 390, 29, "other"),
    textAt(LEFT + 398, 28, "further walls"),
    ...DECADES.flatMap((rate) => [
      lineAt(xOf(rate), TOP, xOf(rate), bottom, "grid"),
      textAt(xOf(rate), bottom + 18, rate.toLocaleString("en-US"), { anchor: "middle", name: "quiet" }),
    ]),
    ...calls.flatMap(row),
    textAt((LEFT + WIDTH - RIGHT) / 2, bottom + 40, "calls a second", { anchor: "middle", name: "quiet" }),
  ]);
}
