import * as z from "zod/mini";

/** Makes the store of a running service as it is after a first start. */
export const resetRoute = {
  name: "reset",
  input: z.object({}),
  output: z.object({
    /** How many records and other rows were written again, and how many deleted. */
    written: z.int(),
    deleted: z.int(),
    /** How long it took, and how long of that requests were held back. */
    tookMs: z.int(),
    heldMs: z.int(),
  }),
};

/** What a reset has done. */
export type ResetReport = z.infer<typeof resetRoute.output>;
