import * as z from "zod/mini";
import { acceptedSetsSetting } from "../auth/accepted-sets.ts";
import { tokenEnv } from "../auth/settings.ts";
import { brandEnv } from "../brand.ts";
import { sharedEnv, tableEnv } from "../env.ts";
import type { EndpointContract } from "../http/contract.ts";
import { rateLimitEnv } from "../rate-limit/settings.ts";

/** Versions of the pass contract that this endpoint serves, in the exact text that a caller sends. */
export const passContractVersions: readonly string[] = ["2026-07-01"];

/** The settings of callers' authentication, as environment variables. */
export const passEnv = {
  /** Sets of credentials that suffice, such as `certificate+jws token`. */
  PASS_CREDENTIALS: acceptedSetsSetting,
  /** Whether a signature must name the method and the path of its request. */
  PASS_JWS_BINDING: z._default(z.enum(["required", "optional"]), "required"),
} as const;

const limit = {
  name: "passes",
  costMax: 1,
  defaultBuckets: [{ name: "passes", burst: 100, refillTokens: 50, refillWindowMs: 1_000 }],
} as const;

/** `GET /passes/{partner_reference}` (contract: pass callback). A reference of any shape is looked up. */
export const getPass = {
  name: "get-pass",
  method: "GET",
  route: "/passes/{partner_reference}",
  scheme: "Bearer",
  scope: "passes.read",
  path: z.object({ partner_reference: z._default(z.string(), "") }),
  query: z.object({}),
  repeatable: [],
  retryAfterUnit: "seconds",
  cacheControl: "private, no-cache",
  limit,
  env: z.object({
    VERSION_HEADER: brandEnv.VERSION_HEADER,
    BASE_PATH: brandEnv.BASE_PATH,
    ...sharedEnv,
    ...tableEnv("PASSES_TABLE"),
    ...rateLimitEnv(limit),
    ...tokenEnv,
    ...passEnv,
  }),
} as const satisfies EndpointContract;
