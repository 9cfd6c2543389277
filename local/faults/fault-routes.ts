import * as z from "zod/mini";

const COUNT_MAX = 999_999;
const LASTS_MS_MAX = COUNT_MAX * 3_600_000;
/** A timer of Node.js that is set for longer ends at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The rule of a whole number between bounds. */
export function wholeWithin(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.int(rule).check(z.gte(min, rule), z.lte(max, rule));
}

/** What the numbers of an order may be: as on the command line, where a fault lasts 999999 hours at most. */
export const faultBounds = {
  times: wholeWithin(1, COUNT_MAX),
  oneIn: wholeWithin(1, COUNT_MAX),
  forMs: wholeWithin(1, LASTS_MS_MAX),
  delayMs: wholeWithin(1, DELAY_MS_MAX),
};

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
  times: z.optional(faultBounds.times),
  forMs: z.optional(faultBounds.forMs),
  oneIn: z.optional(faultBounds.oneIn),
  delayMs: z.optional(faultBounds.delayMs),
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
