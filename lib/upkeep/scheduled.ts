import * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import { LoggableError } from "../errors.ts";
import { describeFault, type Log, timestampOf } from "../log.ts";
import { type UpkeepJob, upkeepJobs } from "./settings.ts";

/** A part of a job. Parts do not depend on each other. */
export type Task = () => Promise<void>;

export interface ScheduledParts {
  readonly jobs: Readonly<Record<UpkeepJob, readonly Task[]>>;
  readonly clock: Clock;
  readonly log: Log;
}

const eventSchema = z.object({ job: z.enum(upkeepJobs) });

/**
 * Builds the function that a schedule calls with `{"job": …}`. A task that fails leaves a line and does not keep back the
 * others. The call then fails as a whole, so that Lambda counts an error and calls again; every task may be repeated.
 */
export const scheduled =
  ({ jobs, clock, log }: ScheduledParts): ((event: unknown) => Promise<void>) =>
  async (event) => {
    const { job } = eventSchema.parse(event);
    let failed = 0;
    for (const task of jobs[job]) {
      await task().catch((error: unknown) => {
        failed += 1;
        const line = {
          timestamp: timestampOf(clock()),
          level: "ERROR",
          job,
          fault: describeFault(error),
        } as const;
        log(line);
      });
    }
    if (failed > 0)
      throw new LoggableError(`${failed} of ${jobs[job].length} tasks of the job ${job} failed.`);
  };
