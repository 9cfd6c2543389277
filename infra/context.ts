import { StageError } from "./stage.ts";

/** The one setting that this app takes from the CDK's context, as in `-c stage=prod`. */
export const STAGE_KEY = "stage";

/** What the CDK's command line keeps in the context under names without a prefix. */
const CDK_KEYS: ReadonlySet<string> = new Set(["acknowledged-issue-numbers", "cli-telemetry"]);

/** Flags of the CDK begin with `@`; its other settings and what it has looked up have a colon in their names. */
const isForCdk = (key: string): boolean => /[@:]/.test(key) || CDK_KEYS.has(key);

/**
 * Refuses a context that has a setting nobody reads: with a slip in its name, the example stage would be synthesized in
 * place of the one that was meant.
 *
 * @throws {StageError} that names every such setting.
 */
export function checkContext(context: Readonly<Record<string, unknown>>): void {
  const strange = Object.keys(context).filter((key) => key !== STAGE_KEY && !isForCdk(key));
  if (strange.length === 0) return;
  throw new StageError(
    `${strange.join(", ")}: there is no such setting. The only one is ${STAGE_KEY}, as in -c ${STAGE_KEY}=prod; ` +
      "look at -c, and at the context in cdk.json, cdk.context.json and ~/.cdk.json.",
  );
}
