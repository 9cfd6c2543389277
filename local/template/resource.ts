import type { AssemblyStack } from "./assembly.ts";
import type { Intrinsics } from "./intrinsics.ts";

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
