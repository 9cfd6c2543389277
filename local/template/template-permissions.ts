import { ownMember } from "../../lib/own-member.ts";
import { ITEM_ACTIONS, type LeadingKeys, matches, type PolicyStatement } from "../store/identity.ts";
import type { TemplateResource } from "./resource.ts";
import { TemplateError } from "./template-error.ts";
import { readTable } from "./template-table.ts";

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

const OPERATOR = "ForAllValues:StringLike";
const CONDITION_KEY = "dynamodb:LeadingKeys";

/**
 * Reads a statement's condition on the items that it is about. Throws a `TemplateError` for any other condition, for one
 * on an action that is not about one item, and for a table that is not in the template. A pattern may match no table.
 */
function readLeadingKeys(
  condition: unknown,
  { actions, resources }: Pick<PolicyStatement, "actions" | "resources">,
  all: readonly TemplateResource[],
  at: string,
): LeadingKeys {
  const patterns = patternsOf(condition);
  const strange = actions.find((action) => !ITEM_ACTIONS.has(action.replace("dynamodb:", "")));
  if (patterns === undefined || strange !== undefined)
    throw new TemplateError(
      `${at}: the local store cannot evaluate a statement's Condition, unless it is ${OPERATOR} of ${CONDITION_KEY} ` +
        `for ${[...ITEM_ACTIONS].join(", ")}.`,
    );
  const [attribute, ...others] = new Set(resources.flatMap((arn) => partitionKeysOf(arn, all)));
  if (attribute === undefined || others.length > 0)
    throw new TemplateError(
      `${at}: a statement's Condition needs tables of the template with one partition key.`,
    );
  return { attribute, patterns };
}

function patternsOf(condition: unknown): readonly string[] | undefined {
  const members = condition as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  if (
    Object.keys(members).join() !== OPERATOR ||
    Object.keys(members[OPERATOR] ?? {}).join() !== CONDITION_KEY
  )
    return undefined;
  const patterns = [ownMember(members[OPERATOR], CONDITION_KEY)].flat();
  return patterns.every((pattern) => typeof pattern === "string") ? patterns : undefined;
}

const TABLE = ":table/";

/** The partition keys of the tables that a resource names. */
function partitionKeysOf(arn: string, all: readonly TemplateResource[]): readonly (string | undefined)[] {
  const place = arn.slice(0, arn.indexOf(TABLE) + TABLE.length);
  const keys = all
    .filter(({ type }) => type === "AWS::DynamoDB::Table" || type === "AWS::DynamoDB::GlobalTable")
    .map(readTable)
    .filter(({ name }) => matches(arn, `${place}${name}`))
    .map(({ keySchema }) => keySchema.find(({ KeyType }) => KeyType === "HASH")?.AttributeName);
  return keys.length > 0 || /[*?]/.test(arn) ? keys : [undefined];
}
