import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { listenForStop } from "../../../../local/process/stop-signal.ts";

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

test.each(["SIGINT", "SIGTERM"] as const)("a first %s asks for an orderly stop", (signal) => {
  const { onFirst, onAgain, signalAt } = listening();
  signalAt(0, signal);
  expect(onFirst).toHaveBeenCalledTimes(1);
  expect(onAgain).not.toHaveBeenCalled();
});

test("another signal counts from one second after the first; before, it is npm's copy of the first", () => {
  const { onFirst, onAgain, signalAt } = listening();
  for (const ms of [0, 1, 999]) signalAt(ms);
  expect(onAgain).not.toHaveBeenCalled();
  signalAt(1_000, "SIGTERM");
  expect(onAgain).toHaveBeenCalledTimes(1);
  expect(onFirst).toHaveBeenCalledTimes(1);
});

test("signals have their usual effect again when nothing listens for them any more", () => {
  const { onFirst, forget, signalAt } = listening();
  forget();
  expect([signalAt(0, "SIGINT"), signalAt(0, "SIGTERM")]).toEqual([false, false]);
  expect(onFirst).not.toHaveBeenCalled();
});
