import { ownMember } from "../../lib/own-member.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "./local-account.ts";
import type { Refusal, StoreOperation, StoreRequest } from "./wire.ts";

/** One statement of a policy: the actions that it allows or denies, and the resources. `*` and `?` are wildcards. */
export interface PolicyStatement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** The items that the statement is about, where it is not about all of them. */
  readonly leadingKeys?: LeadingKeys;
}

/** Items by the texts of their partition key: a condition on `dynamodb:LeadingKeys`. `*` and `?` are wildcards. */
export interface LeadingKeys {
  /** The attribute that is the tables' partition key. */
  readonly attribute: string;
  readonly patterns: readonly string[];
}

/** The actions on one item, whose partition key is in the request as a value: the local store evaluates these alone. */
export const ITEM_ACTIONS: ReadonlySet<string> = new Set(["DeleteItem", "GetItem", "PutItem", "UpdateItem"]);

/** A caller's access key, name and permissions. Plain data, because an identity is sent to the store's thread. */
export interface Identity {
  readonly accessKeyId: string;
  /** The caller's name in error messages: the ARN of a user or of a role's session. */
  readonly arn: string;
  readonly statements: readonly PolicyStatement[];
}

/** The identity with every permission, for the gateway itself and the operator of the data directory. */
export const ownerIdentity = (accessKeyId: string): Identity => ({
  accessKeyId,
  arn: `arn:aws:iam::${LOCAL_ACCOUNT}:user/owner`,
  statements: [{ effect: "Allow", actions: ["*"], resources: ["*"] }],
});

/** The ARN of the role session that Lambda opens for a function. */
export const sessionArn = (roleName: string, functionName: string): string =>
  `arn:aws:sts::${LOCAL_ACCOUNT}:assumed-role/${roleName}/${functionName}`;

/**
 * Judges a request as IAM does: for each resource that it touches, some statement must allow the action, and no
 * statement may deny it (IAM user guide, Policy evaluation logic). A query of an index touches the index alone.
 */
export function authorize(identity: Identity, request: StoreRequest): Refusal | undefined {
  const action = `dynamodb:${request.operation}`;
  const denied = resourcesOf(request).find((resource) => !isAllowed(identity, request, resource));
  if (denied === undefined) return undefined;
  const why = `because no identity-based policy allows the ${action} action`;
  return {
    code: "AccessDeniedException",
    message: `User: ${identity.arn} is not authorized to perform: ${action} on resource: ${denied} ${why}`,
  };
}

const BATCHES: ReadonlySet<StoreOperation> = new Set(["BatchGetItem", "BatchWriteItem"]);
const INDEX_READS: ReadonlySet<StoreOperation> = new Set(["Query", "Scan"]);

/**
 * The names of the tables that a request is about. Only the members that its operation has are read, because an engine
 * ignores any other. ListTables names no table.
 */
export function tableNamesOf({ operation, input }: StoreRequest): readonly string[] {
  if (operation === "ListTables") return [];
  const { RequestItems, TableName } = input;
  if (!BATCHES.has(operation)) return typeof TableName === "string" ? [TableName] : [];
  return typeof RequestItems === "object" && RequestItems !== null ? Object.keys(RequestItems) : [];
}

function resourcesOf(request: StoreRequest): readonly string[] {
  const service = `arn:aws:dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/`;
  const { IndexName } = request.input;
  const isOfIndex = INDEX_READS.has(request.operation) && typeof IndexName === "string";
  const suffix = isOfIndex ? `/index/${IndexName}` : "";
  const names = tableNamesOf(request);
  return names.length === 0 ? [`${service}*`] : names.map((name) => `${service}${name}${suffix}`);
}

function isAllowed({ statements }: Identity, request: StoreRequest, resource: string): boolean {
  const effects = statementsAbout(statements, request.operation, resource)
    .filter(({ leadingKeys }) => leadingKeys === undefined || hasLeadingKey(request, leadingKeys))
    .map(({ effect }) => effect);
  return effects.includes("Allow") && !effects.includes("Deny");
}

/** Actions and resources whose statements are remembered for a caller: a function repeats the same few. */
const ABOUT_MAX = 200;

const about = new WeakMap<Identity["statements"], RecentMap<string, Identity["statements"]>>();

/** The statements that name an action and a resource, whatever they demand of the key. */
function statementsAbout(
  statements: Identity["statements"],
  operation: StoreOperation,
  resource: string,
): Identity["statements"] {
  const known = about.get(statements) ?? new RecentMap<string, Identity["statements"]>(ABOUT_MAX);
  about.set(statements, known);
  const id = `${operation} ${resource}`;
  const found = known.get(id);
  if (found !== undefined) return found;
  const action = `dynamodb:${operation}`.toLowerCase();
  const named = statements
    .filter(({ actions }) => actions.some((pattern) => matches(pattern.toLowerCase(), action)))
    .filter(({ resources }) => resources.some((pattern) => matches(pattern, resource)));
  known.set(id, named);
  return named;
}

function hasLeadingKey({ operation, input }: StoreRequest, { attribute, patterns }: LeadingKeys): boolean {
  if (!ITEM_ACTIONS.has(operation)) return false;
  const members = (operation === "PutItem" ? input.Item : input.Key) as
    | Record<string, { S?: unknown }>
    | undefined;
  const text = ownMember(members, attribute)?.S;
  return typeof text === "string" && patterns.some((pattern) => matches(pattern, text));
}

const expressions = new Map<string, RegExp>();

/** Whether a pattern matches: `*` stands for any characters, `?` for one (IAM user guide, Resource and Action elements). */
export function matches(pattern: string, text: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    expression = new RegExp(`^${escaped.replaceAll("\\*", ".*").replaceAll("\\?", ".")}$`, "s");
    expressions.set(pattern, expression);
  }
  return expression.test(text);
}
