import * as z from "zod/mini";

/** Tells the time of a running service, and moves it first where a text says where to. */
export const timeRoute = {
  name: "time",
  input: z.object({ to: z.optional(z.string()) }),
  output: z.object({
    /** The service's time, in epoch milliseconds. */
    now: z.int(),
    /** How far it is ahead of the machine's. */
    aheadMs: z.int(),
  }),
};

/** What a running service says of its time. */
export type ToldTime = z.infer<typeof timeRoute.output>;

/** Moves the time of a running service where that is wanted, and tells it. */
export type MoveTime = (wanted: z.infer<typeof timeRoute.input>) => Promise<ToldTime>;
