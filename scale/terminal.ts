import type { CallWalls, Played } from "./report.ts";
import type { Scope, Wall } from "./walls.ts";

/** A rate as people read it: whole from a hundred on, with one digit beyond the point below, with two below ten. */
export const short = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString("en-US")
    : value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 1 });

/** An amount of dollars: with cents below a hundred. */
export const dollars = (amount: number): string => (amount < 100 ? amount.toFixed(2) : short(amount));

const SCOPES: readonly Scope[] = ["one owner", "one market", "all callers"];

/** The walls that are met first: the lowest of each scope, and the next one of all callers. */
export const firstWalls = (walls: readonly Wall[]): readonly Wall[] =>
  SCOPES.flatMap((scope) =>
    walls.filter((wall) => wall.scope === scope).slice(0, scope === "all callers" ? 2 : 1),
  );

const line = (scope: string, name: string, rate: string, dollars: string): string =>
  `  ${scope.padEnd(12)} ${name.padEnd(44)} ${rate.padStart(8)} ${dollars.padStart(8)}`;

/** The walls of a kind of call as lines of at most 80 columns, each wall with its remedy below it. */
export function wallLines({ call, walls }: CallWalls, isWhole: boolean): readonly string[] {
  const shown = isWhole ? walls : firstWalls(walls);
  return [
    "",
    call,
    line("", "", "calls/s", "$/hour"),
    ...shown.flatMap(({ scope, name, callsPerSecond, dollarsPerHour, lift }) => [
      line(scope, name, short(callsPerSecond), dollars(dollarsPerHour)),
      `${" ".repeat(15)}lifted by ${lift}`,
    ]),
  ];
}

const rates = (values: readonly number[]): string => values.map((value) => short(value).padStart(8)).join("");

/** How a scenario went, as lines of at most 80 columns. */
export function playedLines({
  name,
  about,
  offered,
  served,
  refused,
  coldStarts,
}: Played): readonly string[] {
  const refusals = Object.entries(refused).filter(([, count]) => count > 0);
  return [
    "",
    name,
    ...(about.match(/.{1,76}(?: |$)/g) ?? []).map((part) => `  ${part.trimEnd()}`),
    `  sent a second, at each quarter's end   ${rates(offered)}`,
    `  served a second                        ${rates(served)}`,
    `  cold starts: ${short(coldStarts)}; refused: ${
      refusals.length === 0
        ? "none"
        : refusals.map(([part, count]) => `${short(count)} by ${part}`).join(", ")
    }`,
  ];
}
