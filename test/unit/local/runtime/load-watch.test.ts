import { describe, expect, it } from "vitest";
import { cpuMeterOf, type EverySecond, watchLoad } from "../../../../local/runtime/load-watch.ts";

/** A load under a watch whose seconds the test lets pass, with the CPU time that the test gives it. */
function watched(maxMs = 10_000) {
  let second = (): void => {};
  const ended = { is: false };
  const every: EverySecond = (look) => {
    second = look;
    return () => {
      ended.is = true;
    };
  };
  let usedMs = 0;
  let read = async (): Promise<number> => usedMs;
  const causes: string[] = [];
  const endWatch = watchLoad({ readMs: () => read(), maxMs }, (cause) => causes.push(cause), every);
  return {
    causes,
    endWatch,
    isWatched: () => !ended.is,
    /** Lets seconds pass, in each of which the load gets some CPU time. */
    pass: async (seconds: number, cpuMsOfEach: number): Promise<void> => {
      for (let passed = 0; passed < seconds && !ended.is; passed += 1) {
        usedMs += cpuMsOfEach;
        second();
        await new Promise(setImmediate);
      }
    },
    readBy: (reader: () => Promise<number>): void => {
      read = reader;
    },
  };
}

describe("the watch of a load", () => {
  it("ends none for the time on a clock: one that gets a hundredth of a core may take a quarter of an hour", async () => {
    const { pass, causes } = watched();
    await pass(900, 10);
    expect(causes).toEqual([]);
  });

  it("tells one that has computed for ten seconds of its own CPU time, once, and looks no more", async () => {
    const { pass, causes, isWatched } = watched();
    await pass(11, 999);
    expect(causes).toEqual([]);
    await pass(10, 999);
    expect(causes).toEqual([expect.stringContaining("computed for 10 seconds of CPU time")]);
    expect(isWatched()).toBe(false);
  });

  it("tells one that has done nothing for a minute, and begins to count again after any progress", async () => {
    const { pass, causes } = watched();
    await pass(59, 0);
    await pass(2, 20);
    await pass(59, 0.5);
    expect(causes).toEqual([]);
    await pass(3, 0);
    expect(causes).toEqual([expect.stringContaining("waiting for a minute")]);
  });

  it("counts a thread that does not say anything as one that does nothing, and asks it once", async () => {
    const { pass, causes, readBy } = watched();
    let asked = 0;
    readBy(() => {
      asked += 1;
      return new Promise(() => {});
    });
    await pass(62, 500);
    expect(causes).toHaveLength(1);
    expect(asked).toBe(1);
  });

  it("leaves the end of a thread to the thread", async () => {
    const { pass, causes, readBy } = watched();
    readBy(() => Promise.reject(new Error("not running")));
    await pass(30, 0);
    expect(causes).toEqual([]);
  });

  it("ends with the load", async () => {
    const { endWatch, isWatched } = watched();
    endWatch();
    expect(isWatched()).toBe(false);
  });
});

describe("the CPU time of a load", () => {
  const usage = (user: number, system: number) => ({ user, system });

  it("is that of its thread", async () => {
    const { readMs, maxMs } = cpuMeterOf({ cpuUsage: async () => usage(4_000_000, 500_000) });
    expect([await readMs(), maxMs]).toEqual([4_500, 10_000]);
  });

  it("is that of the whole process where Node.js knows no better, with room for all of its threads", async () => {
    const readings = [usage(7_000, 1_000), usage(3_000_000, 250_000)];
    const { readMs, maxMs } = cpuMeterOf({}, () => readings.shift() ?? usage(0, 0));
    expect([await readMs(), maxMs]).toEqual([3_250, 60_000]);
  });
});
