import { type Refusal, STORE_OPERATIONS, type StoreOperation } from "../wire.ts";
import { batchRules, shapedBatchRules } from "./batch-rules.ts";
import { besideExpressionRules, expressionRules, referenceRules } from "./expression-rules.ts";
import { indexRules } from "./index-rules.ts";
import { keyConditionFormRules, shapedKeyConditionRules } from "./key-condition-rules.ts";
import { keyRules } from "./key-rules.ts";
import { operandRules } from "./operand-rules.ts";
import { ownRules } from "./own-rules.ts";
import { parameterRules } from "./parameter-rules.ts";
import { pathRules, shapedPathRules } from "./path-rules.ts";
import { RequestAnalysis, type RuledRequest } from "./request-analysis.ts";
import type { Rule } from "./rule.ts";
import { startKeyRules } from "./start-key-rules.ts";
import { typeRules, valueRules } from "./value-rules.ts";

/** DynamoDB's rules for requests, roughly in DynamoDB's order: the rules that need no table come first. */
const dynamoDbRules: readonly Rule[] = [
  ...typeRules,
  ...parameterRules,
  ...batchRules,
  ...besideExpressionRules,
  ...valueRules,
  ...expressionRules,
  ...operandRules,
  ...pathRules,
  ...referenceRules,
  ...keyConditionFormRules,
  ...indexRules,
  ...shapedKeyConditionRules,
  ...startKeyRules,
  ...keyRules,
  ...shapedPathRules,
  ...shapedBatchRules,
];

/** Every rule, DynamoDB's before the store's own, so that a request that breaks both is refused in DynamoDB's words. */
export const rules: readonly Rule[] = [...dynamoDbRules, ...ownRules];

const rulesOf = new Map<StoreOperation, readonly Rule[]>(
  STORE_OPERATIONS.map((operation) => [
    operation,
    rules.filter(({ operations }) => operations.includes(operation)),
  ]),
);

/** The refusal of a request by the first rule that it breaks; undefined when it breaks no rule. */
export function checkRules(request: RuledRequest): Refusal | undefined {
  const analysis = new RequestAnalysis(request);
  for (const { check, code = "ValidationException" } of rulesOf.get(request.operation) ?? []) {
    const message = check(analysis);
    if (message !== undefined) return { code, message };
  }
  return undefined;
}
