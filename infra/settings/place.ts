import * as z from "zod/mini";
import { matching } from "../../lib/setting-schemas.ts";

/** The settings that say where a stage is deployed, and whether it may be lost. */
export const placeMembers = {
  /** The one account and region that the stage is deployed to. Only a disposable stage may leave them out. */
  account: z.optional(matching(/^\d{12}$/, "must be the 12 digits of an AWS account")),
  region: z.optional(matching(/^[a-z]{2,4}(?:-[a-z]+)+-\d$/, "must be a region such as eu-central-1")),
  /** Whether the stage may be thrown away: nothing of it is protected, and nothing outlives its stacks. */
  disposable: z._default(z.boolean(), false),
};

interface Place {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
  readonly disposable: boolean;
}

const RULE =
  "must be given, unless `disposable` is true: without it, the stage goes wherever you are signed in";

/** Refuses a stage that is worth keeping and could be deployed to any account and region. */
export const hasPlace: z.core.CheckFn<Place> = ({ value, issues }) => {
  if (value.disposable) return;
  for (const member of ["account", "region"] as const)
    if (value[member] === undefined)
      issues.push({ code: "custom", path: [member], message: RULE, input: value, continue: true });
};
