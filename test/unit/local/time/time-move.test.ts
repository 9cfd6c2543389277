import { describe, expect, test } from "vitest";
import { ControlRefusal } from "../../../../local/control/control-route.ts";
import { shiftAfter } from "../../../../local/time/time-move.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-12-03T08:00:00Z");
/** A clock that was moved on by three days already. */
const shift = { ms: 3 * DAY_MS, clock: () => NOW };
const movedBy = (text: string): number => shiftAfter(shift, text) - shift.ms;

describe("time moves", () => {
  test.each([
    ["+90s", 90_000],
    ["+10m", 600_000],
    ["+12h", DAY_MS / 2],
    ["+3d", 3 * DAY_MS],
    ["+2w", 14 * DAY_MS],
    ["+1y", 365 * DAY_MS],
    ["2026-12-04", DAY_MS * (2 / 3)],
    ["2026-12-03T08:00:00.001Z", 1],
    ["2026-12-03T10:00:01+02:00", 1_000],
    ["2098-12-31T23:59:59.999Z", Date.UTC(2099, 0) - 1 - NOW],
  ])("as %s says, beside what it was moved by before", (text, ms) => {
    expect(movedBy(text)).toBe(ms);
  });

  test.each([
    ["-3d", "Time only moves forward: -3d is before the service's time, 2026-12-03T08:00:00.000Z."],
    ["2026-12-03T07:59:59.999Z", "Time only moves forward"],
    ["2026-11-30", "Time only moves forward"],
    ["2099-01-01", "beyond 2098"],
    ["+99999y", "beyond 2098"],
    ["2027-02-30", "There is no such day: 2027-02-30."],
    ["2027-07-01T12:00:00", "Has no zone: add Z"],
    ["1782864000", "Looks like epoch seconds; send 2026-07-01T00:00:00Z instead."],
    ...["", "3d", "+", "+0d", "+3", "+3D", "+1.5d", "+3 d", "+5ms", "+100000d", "tomorrow"].map((text) => [
      text,
      "Give a length of time such as +90s",
    ]),
  ])("not as %j says, which is named: %s", (text, said) => {
    expect(() => movedBy(text ?? "")).toThrow(ControlRefusal);
    expect(() => movedBy(text ?? "")).toThrow(said);
  });
});
