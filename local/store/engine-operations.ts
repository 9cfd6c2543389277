import batchGetItem from "dynalite/actions/batchGetItem.js";
import batchWriteItem from "dynalite/actions/batchWriteItem.js";
import createTable from "dynalite/actions/createTable.js";
import deleteItem from "dynalite/actions/deleteItem.js";
import deleteTable from "dynalite/actions/deleteTable.js";
import describeTable from "dynalite/actions/describeTable.js";
import describeTimeToLive from "dynalite/actions/describeTimeToLive.js";
import getItem from "dynalite/actions/getItem.js";
import listTables from "dynalite/actions/listTables.js";
import putItem from "dynalite/actions/putItem.js";
import query from "dynalite/actions/query.js";
import scan from "dynalite/actions/scan.js";
import updateItem from "dynalite/actions/updateItem.js";
import type { Store } from "dynalite/db/index.js";
import batchGetItemRules from "dynalite/validations/batchGetItem.js";
import batchWriteItemRules from "dynalite/validations/batchWriteItem.js";
import createTableRules from "dynalite/validations/createTable.js";
import deleteItemRules from "dynalite/validations/deleteItem.js";
import deleteTableRules from "dynalite/validations/deleteTable.js";
import describeTableRules from "dynalite/validations/describeTable.js";
import describeTimeToLiveRules from "dynalite/validations/describeTimeToLive.js";
import getItemRules from "dynalite/validations/getItem.js";
import { type Action, checkTypes, checkValidations, type InputRules } from "dynalite/validations/index.js";
import listTablesRules from "dynalite/validations/listTables.js";
import putItemRules from "dynalite/validations/putItem.js";
import queryRules from "dynalite/validations/query.js";
import scanRules from "dynalite/validations/scan.js";
import updateItemRules from "dynalite/validations/updateItem.js";
import { refusalAnswer, type StoreAnswer, type StoreOperation, type StoreRequest } from "./wire.ts";

const OPERATIONS: Partial<Record<StoreOperation, readonly [act: Action, rules: InputRules]>> = {
  BatchGetItem: [batchGetItem, batchGetItemRules],
  BatchWriteItem: [batchWriteItem, batchWriteItemRules],
  CreateTable: [createTable, createTableRules],
  DeleteItem: [deleteItem, deleteItemRules],
  DeleteTable: [deleteTable, deleteTableRules],
  DescribeTable: [describeTable, describeTableRules],
  DescribeTimeToLive: [describeTimeToLive, describeTimeToLiveRules],
  GetItem: [getItem, getItemRules],
  ListTables: [listTables, listTablesRules],
  PutItem: [putItem, putItemRules],
  Query: [query, queryRules],
  Scan: [scan, scanRules],
  UpdateItem: [updateItem, updateItemRules],
};

/** An error that dynalite answers with. Any other error is a fault of dynalite. */
interface AnsweredError {
  readonly statusCode: number;
  readonly body: StoreAnswer["body"];
}

const answerOf = (error: unknown): StoreAnswer | undefined => {
  const { statusCode, body } = error as Partial<AnsweredError>;
  return statusCode === undefined || body === undefined ? undefined : { status: statusCode, body };
};

const copyOf = <Members extends object>(members: Members): Members => JSON.parse(JSON.stringify(members));

/**
 * Lets dynalite run an operation as its own server does, without a connection. Input and answer are copied: dynalite deletes
 * members of the input, and answers with objects that have no prototype. Rejects with a fault of dynalite that is not
 * thrown in a callback.
 */
export function operate(store: Store, { operation, input }: StoreRequest): Promise<StoreAnswer> {
  const [act, rules] = OPERATIONS[operation] ?? [];
  if (act === undefined || rules === undefined)
    return Promise.resolve(refusalAnswer({ code: "UnknownOperationException", message: "" }));
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      const answer = answerOf(error);
      if (answer === undefined) reject(error);
      else resolve(answer);
    };
    try {
      const data = checkTypes(copyOf(input), rules.types);
      checkValidations(data, rules.types, rules.custom, store);
      act(store, data, (error, body) =>
        error ? fail(error) : resolve({ status: 200, body: copyOf(body ?? {}) }),
      );
    } catch (error) {
      fail(error);
    }
  });
}
