/** The engines that stand in for DynamoDB: one that is embedded, one that is a program of its own. */
export type EngineKind = "dynalite" | "dynoxide";
