import { contractBrand as brand } from "../../../lib/brand.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import { processEnvironment } from "../../../local/options.ts";
import type { ClockShift } from "../../../local/runtime/clock-shift.ts";
import { localApplication } from "../../../local/template/local-application.ts";
import type { Application } from "../../../local/template/template.ts";
import { scratchDirectory } from "../scratch.ts";
import { countedOf } from "./counted-function.ts";

/** Functions are ended so much later than they are told. On a busy machine, an answer in time may arrive late. */
const GRACE_MS = 5_000;

/** The application of the local stage, whose functions have one time limit that they are told, and count their work. */
export async function faultyApplication(limitMs: number): Promise<Application> {
  const settings = { brand, corsOrigins: [], stockSdk: false };
  const application = await localApplication(settings, {
    dataDir: scratchDirectory(),
    environment: processEnvironment,
    clock: systemClock,
    report: () => {},
  });
  return {
    ...application,
    functions: application.functions.map((definition) => ({
      ...countedOf(definition),
      timeoutMs: limitMs + GRACE_MS,
    })),
  };
}

/** The clock by which functions are told the end of their time. */
export const toldClock =
  (shift: ClockShift): Clock =>
  () =>
    shift.clock() - GRACE_MS;
