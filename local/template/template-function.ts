import { ownMember } from "../../lib/own-member.ts";
import type { TemplateResource } from "./resource.ts";
import { TemplateError } from "./template-error.ts";
import { type RolePermissions, readPermissions } from "./template-permissions.ts";

/** Lambda's defaults for a function whose template leaves them out. */
const DEFAULT_TIMEOUT_S = 3;
const DEFAULT_MEMORY_MB = 128;

export interface FunctionDefinition {
  readonly name: string;
  /** Directory of the bundle. */
  readonly codePath: string;
  /** `file.export`, as in Lambda. */
  readonly handler: string;
  readonly runtime: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Reserved concurrency; undefined when the function shares the account's. */
  readonly environmentsMax: number | undefined;
  /** What the function may do with the tables. */
  readonly permissions: RolePermissions;
}

/** Reads one `AWS::Lambda::Function`. Throws a `TemplateError` for another runtime, or code that is not a bundle. */
export function readFunction(
  resource: TemplateResource,
  resources: readonly TemplateResource[],
): FunctionDefinition {
  const { id, properties, intrinsics, at } = resource;
  const text = (property: string): string =>
    intrinsics.text(ownMember(properties, property), `${at} ${property}`);
  const number = (property: string): number | undefined =>
    ownMember(properties, property) === undefined ? undefined : Number(text(property));
  const runtime = text("Runtime");
  if (!runtime.startsWith("nodejs"))
    throw new TemplateError(`${at}: the local gateway runs Node.js functions, not ${runtime}.`);
  return {
    name: properties.FunctionName === undefined ? id : text("FunctionName"),
    codePath: codePathOf(resource),
    handler: text("Handler"),
    runtime,
    timeoutMs: (number("Timeout") ?? DEFAULT_TIMEOUT_S) * 1000,
    memoryMb: number("MemorySize") ?? DEFAULT_MEMORY_MB,
    environment: environmentOf(resource),
    environmentsMax: number("ReservedConcurrentExecutions"),
    permissions: readPermissions(resource, resources),
  };
}

function codePathOf({ properties, intrinsics, stack, at }: TemplateResource): string {
  const { S3Key: objectKey } = properties.Code as { S3Key?: unknown };
  if (objectKey === undefined)
    throw new TemplateError(`${at}: its code is not an asset; the local gateway runs only bundles.`);
  const path = stack.assets.get(intrinsics.text(objectKey, `${at} Code.S3Key`));
  if (path === undefined) throw new TemplateError(`${at}: its code is not an asset of this assembly.`);
  return path;
}

function environmentOf({ properties, intrinsics, at }: TemplateResource): Record<string, string> {
  const { Variables: variables = {} } = (properties.Environment ?? {}) as {
    Variables?: Record<string, unknown>;
  };
  return Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [
      key,
      intrinsics.text(value, `${at} Environment ${key}`),
    ]),
  );
}
