import * as z from "zod/mini";
import type { Endpoint, TableUse } from "../../infra/endpoints.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { readEnv } from "../../lib/env.ts";
import { ownMember } from "../../lib/own-member.ts";
import { bucketAttribute } from "../../lib/rate-limit/charge.ts";
import { bucketsIn, rateLimitEnv } from "../../lib/rate-limit/settings.ts";
import type { FunctionPool } from "../runtime/function-pool.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../store/local-account.ts";
import type { FaultyIdentity } from "../store/store-fault.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import type { ServedEndpoint } from "./find-routes.ts";

/** Starts one more pool of a function. `change` says what the store has to know of the pool's access key. */
export type StartSpoiledPool = (
  functionName: string,
  change: (definition: FunctionDefinition) => Partial<FaultyIdentity>,
) => Promise<FunctionPool>;

/** Environments of functions for which the store is spoiled, beside those that answer as usual. */
export class SpoiledPools {
  readonly #start: StartSpoiledPool;
  /** By function and kind. */
  readonly #pools = new Map<string, Map<SpoiledStore, Promise<FunctionPool>>>();

  constructor(start: StartSpoiledPool) {
    this.#start = start;
  }

  /** Starts the environments of an endpoint's function, unless they run, and waits until the first has loaded. */
  async open({ endpoint, route: { functionName } }: ServedEndpoint, spoiled: SpoiledStore): Promise<void> {
    const pools = this.#pools.get(functionName) ?? new Map<SpoiledStore, Promise<FunctionPool>>();
    this.#pools.set(functionName, pools);
    const pool =
      pools.get(spoiled) ?? this.#start(functionName, (definition) => spoils[spoiled](endpoint, definition));
    pools.set(spoiled, pool);
    await pool;
  }

  /** The environments of a function that `open` has started. */
  async of(functionName: string, spoiled: SpoiledStore): Promise<FunctionPool | undefined> {
    return await this.#pools.get(functionName)?.get(spoiled);
  }

  /** Ends the environments of some endpoints' functions, each once it has no request. */
  async retire(served: readonly ServedEndpoint[]): Promise<void> {
    await Promise.all(this.#take(served).map(async (pool) => (await pool).retire()));
  }

  /** Ends the environments of some endpoints' functions at once. */
  async close(served: readonly ServedEndpoint[]): Promise<void> {
    await Promise.all(this.#take(served).map(async (pool) => (await pool).close()));
  }

  #take(served: readonly ServedEndpoint[]): readonly Promise<FunctionPool>[] {
    return served.flatMap(({ route: { functionName } }) => {
      const pools = [...(this.#pools.get(functionName)?.values() ?? [])];
      this.#pools.delete(functionName);
      return pools;
    });
  }
}

/** What can be wrong with the store of one function. Credentials, switches and markets can be read all the same. */
export type SpoiledStore = "no tokens" | "no permission" | "no records";

/** The tables that every function reads before the record. */
const COMMON_TABLES: ReadonlySet<TableName> = new Set(["Credentials", "Settings", "RateLimits"]);

/** What the store has to know of a function's access key, so that the function finds it spoiled. */
type Spoil = (endpoint: Endpoint, definition: FunctionDefinition) => Partial<FaultyIdentity>;

const spoils: Readonly<Record<SpoiledStore, Spoil>> = {
  "no records": (endpoint, definition) => ({
    fault: { kind: "unavailable", tables: recordTables(endpoint, definition) },
  }),
  "no permission": (endpoint, definition) => ({
    statements: [
      ...definition.permissions.statements,
      {
        effect: "Deny",
        actions: ["*"],
        resources: recordTables(endpoint, definition).flatMap(arnsOf),
      },
    ],
  }),
  "no tokens": ({ contract: { limit } }, { environment }) => {
    const env = readEnv(z.object(rateLimitEnv(limit)), environment);
    const spans = bucketsIn(env, limit).map(
      ({ name, burst, refillTokens, refillWindowMs }) =>
        [bucketAttribute({ name }), (burst / refillTokens) * refillWindowMs] as const,
    );
    return { fault: { kind: "spent", table: env.RATE_LIMITS_TABLE, aheadMs: Object.fromEntries(spans) } };
  },
};

/** The names of the tables that only this kind of endpoint reads. */
function recordTables({ tables }: Endpoint, { environment }: FunctionDefinition): readonly string[] {
  const own = tables.filter(({ table }: TableUse) => !COMMON_TABLES.has(table));
  return own.flatMap(({ variable }) => ownMember(environment, variable) ?? []);
}

function arnsOf(table: string): readonly string[] {
  const arn = `arn:aws:dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${table}`;
  return [arn, `${arn}/index/*`];
}
