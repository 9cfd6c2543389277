import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { listenForStop } from "../../../local/stop-signal.ts";

function listening() {
  const process = new EventEmitter();
  let nowMs = 5_000;
  const [onFirst, onAgain] = [vi.fn(), vi.fn()];
  const forget = listenForStop({ process, now: () => nowMs, onFirst, onAgain });
  const signalAt = (ms: number, signal: "SIGINT" | "SIGTERM" = "SIGINT") => {
    nowMs = 5_000 + ms;
    return process.emit(signal);
  };
  return { onFirst, onAgain, forget, signalAt };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "a first %s is a wish to stop, which is finished in good order",
  (signal) => {
    const { onFirst, onAgain, signalAt } = listening();
    signalAt(0, signal);
    expect(onFirst).toHaveBeenCalledTimes(1);
    expect(onAgain).not.toHaveBeenCalled();
  },
);

test("a second one counts from a second on: before, it is the first that npm has passed on", () => {
  const { onFirst, onAgain, signalAt } = listening();
  for (const ms of [0, 1, 999]) signalAt(ms);
  expect(onAgain).not.toHaveBeenCalled();
  signalAt(1_000, "SIGTERM");
  expect(onAgain).toHaveBeenCalledTimes(1);
  expect(onFirst).toHaveBeenCalledTimes(1);
});

test("once they are forgotten, signals have their usual effect again", () => {
  const { onFirst, forget, signalAt } = listening();
  forget();
  expect([signalAt(0, "SIGINT"), signalAt(0, "SIGTERM")]).toEqual([false, false]);
  expect(onFirst).not.toHaveBeenCalled();
});
