import * as z from "zod/mini";
import { sharedEnv } from "../env.ts";

/** The name of the function that does the upkeep, in its own lines and metrics. */
export const UPKEEP_NAME = "report-expiry";

/** What a schedule asks the function for: `watch` every few minutes, `expiry` once a day. */
export const upkeepJobs = ["watch", "expiry"] as const;
export type UpkeepJob = (typeof upkeepJobs)[number];

const words = (pattern: RegExp, rule: string) =>
  z.pipe(
    z.string().check(z.regex(/^\S+(?: \S+)*$/, "must be words, separated by a space")),
    z.pipe(
      z.transform((text: string) => text.split(" ")),
      z.array(z.string().check(z.regex(pattern, rule))),
    ),
  );
const url = z.string().check(z.refine((text) => URL.canParse(text), "must be a URL"));

/** The environment of the function. */
export const upkeepEnv = z.object({
  ...sharedEnv,
  /** The names of all endpoints, whose switches are looked at. */
  ENDPOINT_NAMES: words(/^[a-z-]+$/, "must be the name of an endpoint"),
  /** Where the token issuers of the stage publish their keys, each once. */
  TOKEN_JWKS_URLS: words(/^https?:/, "must be a URL"),
  /** The object with the truststore, in the stage's bucket; absent from a stage without client certificates. */
  TRUSTSTORE_URL: z.optional(url),
});
