import type { PolicyStatement } from "../store/identity.ts";
import type { TemplateResource } from "./resource.ts";
import { readLeadingKeys } from "./template-condition.ts";
import { TemplateError } from "./template-error.ts";

/** Only permissions for DynamoDB count here: no other service runs on this machine. */
const SERVICE = /^(?:\*|dynamodb:)/i;

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(["Sid", "Effect", "Action", "Resource", "Condition"]);

interface Document {
  readonly Statement: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
}

/** The name of a function's role, and what the role may do with tables. */
export interface RolePermissions {
  readonly roleName: string;
  readonly statements: readonly PolicyStatement[];
}

/**
 * Reads the policies of a function's role, inline and attached. Throws a `TemplateError` for what IAM would evaluate
 * and the local store cannot: `NotAction`, `NotResource`, `ManagedPolicyArns`, a boundary, and every condition but one on
 * `dynamodb:LeadingKeys`.
 */
export function readPermissions(
  lambda: TemplateResource,
  resources: readonly TemplateResource[],
): RolePermissions {
  const role = roleOf(lambda, resources);
  for (const property of ["ManagedPolicyArns", "PermissionsBoundary"])
    if (Object.hasOwn(role.properties, property))
      throw new TemplateError(`${role.at}: the local store cannot evaluate ${property}.`);
  const own = (role.properties.Policies ?? []) as readonly { readonly PolicyDocument: Document }[];
  const attached = resources.filter((resource) => isAttached(resource, role));
  return {
    roleName: role.id,
    statements: [
      ...own.flatMap(({ PolicyDocument }) => readDocument(PolicyDocument, role, resources)),
      ...attached.flatMap((policy) =>
        readDocument(policy.properties.PolicyDocument as Document, policy, resources),
      ),
    ],
  };
}

function roleOf({ properties, stack, at }: TemplateResource, resources: readonly TemplateResource[]) {
  const [id, attribute] = (properties.Role as { "Fn::GetAtt"?: [string, string] })["Fn::GetAtt"] ?? [];
  const role = resources.find((resource) => resource.id === id && resource.stack.name === stack.name);
  if (role?.type === "AWS::IAM::Role" && attribute === "Arn") return role;
  throw new TemplateError(`${at}: Role names no role of its stack.`);
}

function isAttached({ type, properties, stack }: TemplateResource, role: TemplateResource): boolean {
  if (type !== "AWS::IAM::Policy" && type !== "AWS::IAM::ManagedPolicy") return false;
  const roles = (properties.Roles ?? []) as readonly { readonly Ref?: string }[];
  return stack.name === role.stack.name && roles.some(({ Ref }) => Ref === role.id);
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [value];

function readDocument(
  { Statement }: Document,
  policy: TemplateResource,
  resources: readonly TemplateResource[],
): PolicyStatement[] {
  const statements = listOf(Statement) as readonly Readonly<Record<string, unknown>>[];
  return statements.flatMap((statement) => readStatement(statement, policy, resources));
}

function readStatement(
  statement: Readonly<Record<string, unknown>>,
  { intrinsics, at }: TemplateResource,
  all: readonly TemplateResource[],
): PolicyStatement[] {
  const actions = listOf(statement.Action ?? "*").map((action) => intrinsics.text(action, `${at} Action`));
  if (!actions.some((action) => SERVICE.test(action))) return [];
  const strange = Object.keys(statement).find((member) => !KNOWN_MEMBERS.has(member));
  if (strange !== undefined)
    throw new TemplateError(`${at}: the local store cannot evaluate a statement's ${strange}.`);
  const resources = listOf(statement.Resource).map((arn) => intrinsics.text(arn, `${at} Resource`));
  const read = { effect: statement.Effect === "Deny" ? "Deny" : "Allow", actions, resources } as const;
  if (!("Condition" in statement)) return [read];
  return [{ ...read, leadingKeys: readLeadingKeys(statement.Condition, read, all, at) }];
}
