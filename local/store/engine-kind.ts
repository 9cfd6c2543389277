/** The engines that stand in for DynamoDB: dynalite is embedded, dynoxide is a program of its own. */
export type EngineKind = "dynalite" | "dynoxide";
