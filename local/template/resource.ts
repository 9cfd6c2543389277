import { LOCAL_ACCOUNT, LOCAL_REGION } from "../store/local-account.ts";
import type { AssemblyStack } from "./assembly.ts";
import type { Intrinsics } from "./intrinsics.ts";
import { TemplateError } from "./template-error.ts";

/** One resource of one stack, with everything that is needed to read it. */
export interface TemplateResource {
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly stack: AssemblyStack;
  readonly intrinsics: Intrinsics;
  /** The place that an error names. */
  readonly at: string;
}

const PREFIX = `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:`;

/**
 * The name of the function that an ARN or a name means. After the name comes an alias; all of them run the code as it
 * is. Throws a `TemplateError` for a function of another account or region.
 *
 * @param at the place that an error names.
 */
export function functionNameOf(arn: string, at: string): string {
  if (!arn.includes(":")) return arn;
  const [name] = arn.startsWith(PREFIX) ? arn.slice(PREFIX.length).split(":") : [];
  if (name !== undefined) return name;
  throw new TemplateError(`${at}: ${arn} is not a function of this assembly.`);
}
