import { describe, expect, test } from "vitest";
import { type Cue, Play, REPETITION_MS } from "../../../../ops/check-client/play.ts";
import { type Manner, type Scene, undisturbed } from "../../../../ops/check-client/scene.ts";

const cut = { kind: "cut" } as const;
const two: Scene = {
  stations: [
    { troubles: [cut], answer: "plain" },
    { troubles: [], answer: "new-member" },
    { troubles: [cut], answer: "plain" },
  ],
};
const refused: Scene = { stations: [{ troubles: [], answer: "refused" }] };

const playOf = (manner: Manner, ...scenes: readonly Scene[]): Play => new Play(manner, scenes);
const cue = (members: Partial<Cue> = {}): Cue => ({ run: 1, subject: "a", now: 0, ...members });

/** The steps of some requests: act, station, and what they met. */
const stepsOf = (play: Play, cues: readonly Partial<Cue>[]) =>
  cues.map((one) => {
    const { act, station, trouble, answer } = play.step(cue(one));
    return [act, station, trouble?.kind ?? answer];
  });

describe("a listing", () => {
  test("meets the troubles of a page before the page, and goes on where its cursor says", () => {
    const play = playOf("list", two);
    expect(
      stepsOf(play, [{}, {}, { cursor: { act: 1, station: 1 } }, { cursor: { act: 1, station: 2 } }]),
    ).toEqual([
      [1, 0, "cut"],
      [1, 0, "plain"],
      [1, 1, "new-member"],
      [1, 2, "cut"],
    ]);
    expect(play.isOver).toBe(false);
    expect(stepsOf(play, [{ cursor: { act: 1, station: 2 } }])).toEqual([[1, 2, "plain"]]);
    expect([play.isOver, play.hasMore]).toEqual([true, false]);
  });

  test("of something else in the same run, or once one is read, is the next scene", () => {
    const play = playOf("list", two, refused);
    expect(stepsOf(play, [{}, { subject: "b" }, { subject: "c" }])).toEqual([
      [1, 0, "cut"],
      [2, 0, "refused"],
      [3, 0, "plain"],
    ]);
    const read = playOf("list", undisturbed, refused);
    expect(stepsOf(read, [{}, {}])).toEqual([
      [1, 0, "plain"],
      [2, 0, "refused"],
    ]);
  });

  test("that a run breaks off is gone on with in the next run, without what stopped it", () => {
    const play = playOf("list", two, refused);
    expect(stepsOf(play, [{}])).toEqual([[1, 0, "cut"]]);
    expect(play.hasMore).toBe(true);
    const page = (station: number) => ({ run: 2, cursor: { act: 2, station } });
    expect(stepsOf(play, [{ run: 2 }, page(1)])).toEqual([
      [2, 0, "plain"],
      [2, 1, "new-member"],
    ]);
    const later = (station: number) => ({ run: 3, cursor: { act: 3, station } });
    expect(stepsOf(play, [{ run: 3 }, later(1), later(2), later(2)])).toEqual([
      [3, 0, "plain"],
      [3, 1, "plain"],
      [3, 2, "cut"],
      [3, 2, "plain"],
    ]);
    expect(stepsOf(play, [{ run: 4 }])).toEqual([[4, 0, "refused"]]);
  });

  test("that ends at a plain page is not begun again, since nothing stopped it", () => {
    const play = playOf("list", { stations: [...undisturbed.stations, ...two.stations] }, refused);
    expect(stepsOf(play, [{}, { run: 2 }])).toEqual([
      [1, 0, "plain"],
      [2, 0, "refused"],
    ]);
  });
});

test("a poll goes on through its stations, from run to run", () => {
  const play = playOf("poll", two, refused);
  expect(stepsOf(play, [{}, {}, { run: 2 }, { run: 2 }, { run: 3 }, { run: 3 }])).toEqual([
    [1, 0, "cut"],
    [1, 0, "plain"],
    [1, 1, "new-member"],
    [1, 2, "cut"],
    [1, 2, "plain"],
    [2, 0, "refused"],
  ]);
});

describe("a request after a refusal", () => {
  test.each([
    [{ now: REPETITION_MS - 1 }, 1],
    [{ now: REPETITION_MS }, 2],
    [{ now: 0, run: 2 }, 2],
    [{ now: 0, subject: "b" }, 2],
  ])("with %j is in act %i", (members, act) => {
    const play = playOf("record", refused, two);
    play.step(cue());
    expect(play.step(cue(members)).act).toBe(act);
  });
});
