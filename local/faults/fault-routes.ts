import * as z from "zod/mini";

const whole = z.int().check(z.gte(1));

const entry = z.object({
  /** The endpoint's name. */
  endpoint: z.string(),
  fault: z.string(),
  /** What a caller sees, as the end of a sentence that begins with the endpoint. */
  effect: z.string(),
  hits: z.int(),
  state: z.enum(["on", "used up", "over"]),
  times: z.optional(z.int()),
  /** Epoch milliseconds. */
  untilMs: z.optional(z.int()),
  oneIn: z.int(),
});

/** An order of a fault, as `npm run ops` shows it. */
export type ListedFault = z.infer<typeof entry>;

const order = z.object({
  /** As a person names an endpoint; `all` for every one. */
  route: z.string(),
  fault: z.string(),
  times: z.optional(whole),
  forMs: z.optional(whole),
  oneIn: z.optional(whole),
  delayMs: z.optional(whole),
  seed: z.optional(z.int()),
});

/** What is asked for when a fault is set. */
export type WantedFault = z.infer<typeof order>;

/** Lets requests of an endpoint meet a fault. */
export const setFault = { name: "set-fault", input: order, output: z.array(entry) };

/** Shows every fault that was set and not cleared. */
export const listFaults = { name: "list-faults", input: z.object({}), output: z.array(entry) };

/** Ends the faults of an endpoint, or all of them. */
export const clearFaults = {
  name: "clear-faults",
  input: z.object({ route: z.optional(z.string()) }),
  output: z.object({ cleared: z.int() }),
};
