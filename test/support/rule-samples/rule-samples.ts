import type { EngineKind } from "../../../infra/local/store/engine-kind.ts";
import type { StoreRequest } from "../../../infra/local/store/wire.ts";
import { batchSamples } from "./batches.ts";
import { expressionSamples } from "./expressions.ts";
import { indexSamples } from "./indexes.ts";
import { keyConditionSamples } from "./key-conditions.ts";
import { keySamples } from "./keys.ts";
import { operandSamples } from "./operands.ts";
import { parameterSamples } from "./parameters.ts";
import { call, type RuleSamples, s } from "./requests.ts";
import { startKeySamples } from "./start-keys.ts";
import { tableSamples } from "./tables.ts";
import { valueSamples } from "./values.ts";

export { type RuleSamples, sampleShapes, sampleTables } from "./requests.ts";

/** Samples by the name of the rule. */
export const ruleSamples: Readonly<Record<string, RuleSamples>> = {
  ...parameterSamples,
  ...tableSamples,
  ...batchSamples,
  ...expressionSamples,
  ...operandSamples,
  ...valueSamples,
  ...keyConditionSamples,
  ...indexSamples,
  ...startKeySamples,
  ...keySamples,
};

/** Legal requests, and the engines that refuse them all the same. */
export const refusedThoughLegal: readonly { readonly request: StoreRequest; readonly by: EngineKind }[] = [
  {
    request: call("Query", {
      TableName: "wide",
      KeyConditions: { pk: { ComparisonOperator: "EQ", AttributeValueList: [s("k")] } },
      FilterExpression: "a = b",
    }),
    by: "dynoxide",
  },
];
