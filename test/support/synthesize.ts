import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { App } from "aws-cdk-lib";
import type { CloudAssembly } from "aws-cdk-lib/cx-api";
import { endpoints } from "../../infra/endpoints.ts";
import { featureFlags } from "../../infra/feature-flags.ts";
import { addStacks } from "../../infra/stacks/add-stacks.ts";
import type { Stage } from "../../infra/stage.ts";

export { disposable, testStage } from "./test-stage.ts";

export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is what the assertions are about
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdatePolicy?: unknown;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Export?: unknown }>>;
}

export interface Synthesis {
  readonly data: Template;
  readonly api: Template;
  /** The template of the domains; empty for a stage without any. */
  readonly domains: Template;
  /** The template of alarms, topics and dashboard. */
  readonly alarms: Template;
  /** The template of the operators' policies. */
  readonly operators: Template;
  /** Whether CloudFormation refuses to delete each stack, by the stack's name. */
  readonly terminationProtection: Readonly<Record<string, boolean>>;
  /** What the CDK's command line looks up in the account before it deploys anything, and refuses to be without. */
  readonly lookups: readonly unknown[];
  /** The stacks that are deployed before each stack, by the stacks' names. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  /** The directory of the assembly, when it is kept; the caller removes it. */
  readonly directory: string;
}

/**
 * Synthesizes a stage as `cdk synth` does, without rule checks; with the functions' bundles only when asked. Without
 * bundles, the directory is kept only when asked. `add` adds all stacks, or those alone that a test needs.
 */
export function synthesize(
  stage: Stage,
  {
    bundles = false,
    keep = bundles,
    add = addStacks,
  }: { bundles?: boolean; keep?: boolean; add?: (app: App, stage: Stage) => unknown } = {},
): Synthesis {
  const directory = mkdtempSync(path.join(tmpdir(), "countinghouse-synth-"));
  const app = new App({
    context: { ...featureFlags, "aws:cdk:bundling-stacks": bundles ? ["**"] : [] },
    builtinCloudFormationValidation: false,
    analyticsReporting: false,
    // Nobody reads them, and they take a fifth of the time.
    stackTraces: false,
    treeMetadata: false,
    outdir: directory,
  });
  add(app, stage);
  const synthesis = readSynthesis(app.synth(), stage);
  if (!keep) rmSync(directory, { recursive: true });
  return synthesis;
}

/** What a synthesis of the stage left in its directory. */
export function readSynthesis({ directory, stacks, manifest }: CloudAssembly, { name }: Stage): Synthesis {
  const templateOf = (part: string): Template =>
    stacks.find(({ stackName }) => stackName === `countinghouse-${name}-${part}`)?.template ?? {
      Resources: {},
    };
  return {
    data: templateOf("data"),
    api: templateOf("api"),
    domains: templateOf("domains"),
    alarms: templateOf("alarms"),
    operators: templateOf("operators"),
    terminationProtection: Object.fromEntries(
      stacks.map(({ stackName, terminationProtection }) => [stackName, terminationProtection === true]),
    ),
    lookups: (manifest.missing ?? []).map(({ props }) => props),
    dependencies: Object.fromEntries(
      stacks.map(({ stackName, dependencies }) => [stackName, dependencies.map(({ id }) => id)]),
    ),
    directory,
  };
}

/** The resources of one type, by their logical ids. */
export const resourcesOf = (
  template: Template,
  type: string,
): (TemplateResource & { readonly id: string })[] =>
  Object.entries(template.Resources).flatMap(([id, resource]) =>
    resource.Type === type ? [{ ...resource, id }] : [],
  );

/** Whether a resource belongs to the function that schedules call, which no request needs. */
export const isOfUpkeep = ({ id }: { readonly id: string }): boolean => id.startsWith("ReportExpiry");

/** Whether a resource belongs to the schedules that call it. */
export const isOfSchedules = ({ id }: { readonly id: string }): boolean =>
  id.startsWith("ReportExpirySchedules");

/** How many functions a stage has: one for each endpoint, and that one. */
export const FUNCTION_COUNT = endpoints.length + 1;

/** Sorted names, for comparisons in which their order does not matter. */
export const sorted = (names: readonly string[]): string[] => [...names].sort();

/** A value of a template as text: its parts joined, references by their names in `${}`. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const [intrinsic, given] = Object.entries(value as Record<string, unknown>)[0] ?? [];
  if (intrinsic === "Ref") return `\${${String(given)}}`;
  if (intrinsic === "Fn::GetAtt") return `\${${(given as string[]).join(".")}}`;
  if (intrinsic === "Fn::Join") {
    const [separator, parts] = given as [string, unknown[]];
    return parts.map(textOf).join(separator);
  }
  throw new Error(`No reading of ${intrinsic}`);
}
