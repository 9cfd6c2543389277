import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionListStore } from "../../lib/transactions/transaction-list-store.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { temporaryDirectory } from "../support/operator.ts";
import { withStore } from "../support/with-store.ts";
import { transaction } from "./ops/records.ts";

const BUSINESS = "business-1";
const TABLE = physicalTableName(LOCAL_STAGE, "Transactions");
const IN_USE_KEY = "countinghouse in use";

type Files = ClassicLevel<string, object | boolean>;

/** A data directory with one transaction in it, and access to the engine's files while nothing runs. */
async function usedDirectory() {
  const directory = await temporaryDirectory();
  const data = directory.path;
  const put = (id: string) =>
    withStore({ data }, ({ table }) => {
      const register = new TransactionRegister(table("Transactions"));
      return putTransaction(register, contractBrand, BUSINESS, transaction(id));
    });
  await put("tx-1");
  return {
    put,
    get: (id: string) =>
      withStore({ data }, ({ table }) => new TransactionStore(table("Transactions")).get(BUSINESS, id)),
    list: () =>
      withStore({ data }, async ({ table }) => {
        const lists = new TransactionListStore(table("Transactions"));
        return (await lists.page({ businessId: BUSINESS, count: 9 })).docs;
      }),
    engineFile: (name: string) => join(data, "dynamodb", name),
    change: async (act: (files: Files) => Promise<void>) => {
      const files: Files = new ClassicLevel(join(data, "dynamodb"), { valueEncoding: "json" });
      try {
        await act(files);
      } finally {
        await files.close();
      }
    },
    [Symbol.asyncDispose]: directory[Symbol.asyncDispose],
  };
}

/** The keys of the one entry under each prefix. */
async function keyUnder(files: Files, prefix: string): Promise<string> {
  const [key, ...more] = await files.keys({ gte: prefix, lt: `${prefix}\u{7f}` }).all();
  if (key === undefined || more.length > 0) throw new Error(`The engine keeps ${prefix} otherwise.`);
  return key;
}

describe("an engine that was killed", () => {
  test("while it created a table creates it again, and the other tables keep their items", async () => {
    await using directory = await usedDirectory();
    const credentials = `table~${physicalTableName(LOCAL_STAGE, "Credentials")}`;
    await directory.change(async (files) => {
      await files.put(IN_USE_KEY, true);
      await files.put(credentials, { ...Object(await files.get(credentials)), TableStatus: "CREATING" });
    });
    expect(await directory.get("tx-1")).toBe(transaction("tx-1"));
    await directory.change(async (files) => {
      expect(await files.get(credentials)).toMatchObject({ TableStatus: "ACTIVE" });
    });
  });

  test("between writing an index and its record lists no record that does not exist", async () => {
    await using directory = await usedDirectory();
    await directory.change(async (files) => {
      await files.put(IN_USE_KEY, true);
      await files.del(await keyUnder(files, `item-${TABLE}~`));
    });
    expect(await directory.list()).toEqual([]);
    expect(await directory.put("tx-2")).toEqual({ outcome: "written" });
    expect(await directory.list()).toEqual([transaction("tx-2")]);
  });

  test("between writing an index and its record lists the record as it is stored", async () => {
    await using directory = await usedDirectory();
    await directory.change(async (files) => {
      await files.put(IN_USE_KEY, true);
      const [index] = await files
        .keys({ gte: `index-global~${TABLE}~`, lt: `index-global~${TABLE}~\u{7f}` })
        .all();
      const entry = Object(await files.get(index ?? ""));
      await files.put(index ?? "", { ...entry, doc: { S: "newer" } });
    });
    expect(await directory.list()).toEqual([transaction("tx-1")]);
  });
});

test("an engine that closed cleanly leaves no mark of a killed one", async () => {
  await using directory = await usedDirectory();
  await directory.change(async (files) => {
    expect(await files.get(IN_USE_KEY)).toBeUndefined();
  });
});

test("the error for an engine with damaged files is one line that says what to do", async () => {
  await using directory = await usedDirectory();
  await writeFile(directory.engineFile("CURRENT"), "no manifest");
  await expect(directory.get("tx-1")).rejects.toThrow(
    /^The store in .*dynamodb cannot be read \(.*CURRENT.*\)\. Start once with --fresh/,
  );
});
