import * as z from "zod/mini";
import { acceptedSetsSetting } from "../auth/accepted-sets.ts";
import { brandEnv } from "../brand.ts";
import { sharedTablesEnv, tableEnv } from "../env.ts";
import type { EndpointContract } from "../http/contract.ts";

/** Versions of the pass contract that this endpoint answers to, by the exact text that a caller sends. */
export const passContractVersions: readonly string[] = ["2026-07-01"];

const text = z.string();

/** The issuer whose access tokens open the pass callback; its audience is not that of another interface. */
const tokenEnv = {
  PASS_TOKEN_ISSUER: text.check(z.minLength(1, "must be given")),
  PASS_TOKEN_AUDIENCE: text.check(z.minLength(1, "must be given")),
  PASS_TOKEN_JWKS_URL: z.url("must be a URL"),
  PASS_TOKEN_TYPE: text.check(z.minLength(1, "must be given")),
} as const;

/** `GET /passes/{partner_reference}` (contract: pass callback). A reference of any shape is looked up. */
export const getPass = {
  name: "get-pass",
  method: "GET",
  route: "/passes/{partner_reference}",
  scheme: "Bearer",
  scope: "passes.read",
  path: z.object({ partner_reference: z._default(text, "") }),
  query: z.object({}),
  repeatable: [],
  retryAfterUnit: "seconds",
  cacheControl: "private, no-cache",
  env: z.object({
    ...brandEnv,
    ...sharedTablesEnv,
    ...tableEnv("PASSES_TABLE"),
    ...tokenEnv,
    PASS_CREDENTIALS: acceptedSetsSetting,
    PASS_JWS_BINDING: z._default(z.enum(["required", "optional"]), "required"),
  }),
} as const satisfies EndpointContract;
