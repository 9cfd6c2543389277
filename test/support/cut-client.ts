import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { contractBrand } from "../../lib/brand.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";

/** The process that called the store is gone. */
class Killed extends Error {
  override readonly name = "Killed";
}

type Call = () => Promise<unknown>;

/** An operator's store, each of whose calls goes through `around`. */
function storeThrough(
  table: (name: TableName) => Table,
  around: (call: Call) => Promise<unknown>,
): OperatorStore {
  const through = (name: TableName): Table => {
    const { client, ...rest } = table(name);
    const call = client.send.bind(client) as (
      ...args: Parameters<DynamoDBClient["send"]>
    ) => Promise<unknown>;
    const send = (...args: Parameters<DynamoDBClient["send"]>) => around(() => call(...args));
    return { ...rest, client: Object.assign(Object.create(client) as DynamoDBClient, { send }) };
  };
  return { table: through, brand: contractBrand, name: "a store", close: async () => {} };
}

/** Whatever has tables. */
type Tables = Pick<OperatorStore, "table">;

/** The store calls of a process, between two of which something else happens. */
export class InterruptedCalls {
  count = 0;
  readonly #at: number;
  readonly #act: Call;

  /** @param at the number of the call before which `act` happens. */
  constructor(at: number, act: Call) {
    this.#at = at;
    this.#act = act;
  }

  /** An operator's store whose calls are these. */
  storeOf({ table }: Tables): OperatorStore {
    return storeThrough(table, async (call) => {
      this.count += 1;
      if (this.count === this.#at) await this.#act();
      return await call();
    });
  }
}

/** The store calls of a process that is killed at one of them. */
export class KilledCalls {
  count = 0;
  readonly #at: number;
  readonly #takesEffect: boolean;

  /** @param at the number of the call at which the process is killed; @param takesEffect whether the store obeys it. */
  constructor(at = Number.POSITIVE_INFINITY, takesEffect = false) {
    this.#at = at;
    this.#takesEffect = takesEffect;
  }

  /** An operator's store whose calls are these. */
  storeOf({ table }: Tables): OperatorStore {
    return storeThrough(table, async (call) => {
      this.count += 1;
      if (this.count > this.#at) throw new Killed();
      if (this.count === this.#at && !this.#takesEffect) throw new Killed();
      const answer = await call();
      if (this.count >= this.#at) throw new Killed();
      return answer;
    });
  }
}
