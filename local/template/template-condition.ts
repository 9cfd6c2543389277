import { ownMember } from "../../lib/own-member.ts";
import { ITEM_ACTIONS, type LeadingKeys, matches, type PolicyStatement } from "../store/identity.ts";
import type { TemplateResource } from "./resource.ts";
import { TemplateError } from "./template-error.ts";
import { readTable } from "./template-table.ts";

const OPERATOR = "ForAllValues:StringLike";
const CONDITION_KEY = "dynamodb:LeadingKeys";

/**
 * Reads a statement's condition on the items that it is about. Throws a `TemplateError` for any other condition, for one
 * on an action that is not about one item, and for a table that is not in the template. A pattern may match no table.
 */
export function readLeadingKeys(
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
