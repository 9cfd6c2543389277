import type { EngineKind } from "../../../local/store/rules/rule.ts";
import type { StoreRequest } from "../../../local/store/wire.ts";
import { batchSamples } from "./batches.ts";
import { expressionSamples } from "./expressions.ts";
import { indexSamples } from "./indexes.ts";
import { keyConditionSamples } from "./key-conditions.ts";
import { keySamples } from "./keys.ts";
import { operandSamples } from "./operands.ts";
import { ownSamples } from "./own.ts";
import { parameterSamples } from "./parameters.ts";
import { filter, n, put, type RuleSamples } from "./requests.ts";
import { startKeySamples } from "./start-keys.ts";
import { tableSamples } from "./tables.ts";
import { typeSamples } from "./types.ts";
import { valueSamples } from "./values.ts";

export { partsItem, type RuleSamples, sampleShapes, sampleTables } from "./requests.ts";

/** Samples by the name of the rule. */
export const ruleSamples: Readonly<Record<string, RuleSamples>> = {
  ...typeSamples,
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
  ...ownSamples,
};

/** The requests that break a rule, each with DynamoDB's answer. */
export const brokenBy = ({
  breaks,
}: RuleSamples): { readonly request: StoreRequest; readonly message: string }[] =>
  Object.entries(breaks).flatMap(([message, requests]) =>
    [requests].flat().map((request) => ({ request, message })),
  );

/** Legal requests, and the engines that refuse them all the same. */
export const refusedThoughLegal: readonly { readonly request: StoreRequest; readonly by: EngineKind }[] = [
  { request: filter("NOT NOT attribute_exists(a)"), by: "dynalite" },
  { request: put({ a: n("+1") }), by: "dynalite" },
  { request: put({ a: { S: "x", N: null } }), by: "dynoxide" },
];
