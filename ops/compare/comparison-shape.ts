import * as z from "zod/mini";

const texts = z.array(z.string());

const difference = z.object({ aspect: z.string(), left: z.string(), right: z.string(), requests: texts });

const comparison = z.object({
  left: z.string(),
  right: z.string(),
  compared: z.array(z.object({ request: z.string(), status: z.string() })),
  differences: z.array(difference),
  notCompared: z.array(z.object({ request: z.string(), shows: z.string(), why: z.string() })),
  passing: z.array(difference),
  ignored: z.array(difference),
  byHand: z.array(z.object({ name: z.string(), shows: z.string(), why: z.string(), command: z.string() })),
  legend: texts,
});

/** What a comparison came to, as JSON; with `--list`, the requests that it would send. */
export const comparisonShape = z.union([
  comparison,
  z.array(z.object({ request: z.string(), shows: z.string() })),
]);

/** A comparison for the documents. */
export const exampleComparison: z.input<typeof comparison> = {
  left: "http://127.0.0.1:3000/",
  right: "https://api.example.com/",
  compared: [{ request: "get-pass 200", status: "200" }],
  differences: [
    { aspect: "header cache-control", left: "no-store", right: "(absent)", requests: ["get-pass 200"] },
  ],
  notCompared: [],
  passing: [],
  ignored: [],
  byHand: [],
  legend: [],
};
