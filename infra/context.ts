import { StageError } from "./stage.ts";

/** The one setting that this app takes from the CDK's context, as in `-c stage=prod`. */
export const STAGE_KEY = "stage";

/** Names without a prefix under which the CDK's command line keeps values in the context. */
const CDK_KEYS: ReadonlySet<string> = new Set(["acknowledged-issue-numbers", "cli-telemetry"]);

/** The CDK's flags begin with `@`; the names of its other settings and of cached lookups have a colon. */
const isForCdk = (key: string): boolean => /[@:]/.test(key) || CDK_KEYS.has(key);

/**
 * Refuses a context with an unknown setting, and names it: with a misspelt `stage`, no stage would seem to be meant.
 *
 * @throws {StageError} that names every unknown setting.
 */
export function checkContext(context: Readonly<Record<string, unknown>>): void {
  const strange = Object.keys(context).filter((key) => key !== STAGE_KEY && !isForCdk(key));
  if (strange.length === 0) return;
  throw new StageError(
    `${strange.join(", ")}: there is no such setting. The only one is ${STAGE_KEY}, as in -c ${STAGE_KEY}=prod; ` +
      "check -c, and the context in cdk.json, cdk.context.json and ~/.cdk.json.",
  );
}
