import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { stopRequested } from "../../../local/stop-signal.ts";

function listening() {
  const process = new EventEmitter();
  let nowMs = 5_000;
  const stopAtOnce = vi.fn();
  const stopping = stopRequested({ process, now: () => nowMs, stopAtOnce });
  const signalAt = (ms: number, signal: "SIGINT" | "SIGTERM" = "SIGINT") => {
    nowMs = 5_000 + ms;
    process.emit(signal);
  };
  return { stopping, stopAtOnce, signalAt };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "a first %s is a wish to stop, which is finished in good order",
  async (signal) => {
    const { stopping, stopAtOnce, signalAt } = listening();
    signalAt(0, signal);
    await stopping;
    expect(stopAtOnce).not.toHaveBeenCalled();
  },
);

test("a second one ends at once, unless it is the first that npm has passed on", () => {
  const { stopAtOnce, signalAt } = listening();
  for (const ms of [0, 1, 300]) signalAt(ms);
  expect(stopAtOnce).not.toHaveBeenCalled();
  signalAt(301);
  expect(stopAtOnce).toHaveBeenCalledTimes(1);
});
