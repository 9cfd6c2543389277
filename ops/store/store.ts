import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Brand } from "../../lib/brand.ts";
import { defaultFreshness, type FreshnessLimits } from "../../lib/signature/settings.ts";
import { localIssuer } from "../../local/identity/local-identity.ts";
import { clientLimits } from "../../local/store/client-limits.ts";
import { localBrand, openLocalStore, type StoreNeed, storeName } from "./local-store.ts";
import type { OperatorStore } from "./operator-store.ts";
import { readStageFile } from "./stage-file.ts";
import { explainStoreFault } from "./store-faults.ts";
import { environmentRegion, type StoreOptions, storeOption } from "./store-options.ts";

/** Whether DynamoDB itself answers at an address: its own, or one of its endpoints in a private network. */
const isAmazons = (endpoint: string | undefined): boolean =>
  endpoint === undefined || /\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(new URL(endpoint).hostname);

/** A deployed stage's tables, reached with the operator's own AWS credentials. */
async function openStageStore(stageName: string, options: StoreOptions): Promise<OperatorStore> {
  const stage = readStageFile(stageName);
  const region = stage.region ?? environmentRegion();
  const client = new DynamoDBClient({
    requestHandler: clientLimits,
    ...(region !== undefined && { region }),
    ...(options.dynamodbEndpoint !== undefined && { endpoint: options.dynamodbEndpoint }),
  });
  return {
    table: (table) => ({ client, name: stage.tables[table] }),
    brand: stage.brand,
    name: `stage ${stage.name}${region === undefined ? "" : ` in ${region}`}`,
    option: storeOption(options),
    ...(isAmazons(options.dynamodbEndpoint) && { aws: { region } }),
    close: async () => client.destroy(),
  };
}

/** The brand of the stage that the options name, without opening its store. */
export const stageBrand = async (options: StoreOptions): Promise<Brand> =>
  options.stage === undefined ? await localBrand(options) : readStageFile(options.stage).brand;

/** Every issuer whose tokens one of the stage's interfaces accepts. */
export function stageTokenIssuers({ stage }: StoreOptions): readonly string[] {
  if (stage === undefined) return [localIssuer];
  const { business, passes } = readStageFile(stage);
  return [...new Set([business.token.issuer, passes.token.issuer])];
}

/** How far from the server's time the stage accepts a timestamp. */
export function stageFreshness({ stage }: StoreOptions): FreshnessLimits {
  return stage === undefined ? defaultFreshness : readStageFile(stage).signature;
}

/** Opens the store that the options name. */
export const openStore = (options: StoreOptions, need: StoreNeed): Promise<OperatorStore> =>
  options.stage === undefined ? openLocalStore(options, need) : openStageStore(options.stage, options);

/** Turns a fault of a store, open or not, into an `OperatorError` that says what to do. */
export const explainFault = (error: unknown, options: StoreOptions, store?: OperatorStore): unknown =>
  explainStoreFault(error, store?.name ?? storeName(options), options.stage !== undefined);
