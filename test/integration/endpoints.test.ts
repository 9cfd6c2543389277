import { afterAll, beforeAll, describe } from "vitest";
import { testedStores } from "../support/engine.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { describeGetPass } from "./endpoints/get-pass.ts";
import { describeGetSellOrder } from "./endpoints/get-sell-order.ts";
import { describeGetTransaction } from "./endpoints/get-transaction.ts";
import { describeListTransactions } from "./endpoints/list-transactions.ts";

// One service for all of them, because its start takes longer than their requests. Each has owners of its own.
describe.each(testedStores)("endpoints over HTTP on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  const opened = () => service;
  describeGetTransaction(kind, opened);
  describeListTransactions(kind, opened);
  describeGetSellOrder(kind, opened);
  describeGetPass(kind, opened);
});
