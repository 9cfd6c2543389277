import type { Command } from "commander";
import type { putVersioned } from "../../lib/dynamo/versioned-put.ts";
import type { Intake } from "../../lib/intake.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { sellOrderDocument } from "../../lib/sell-orders/sell-order-document.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { addImportCommand } from "./import-command.ts";
import { journaledPut } from "./journal/journaled-put.ts";
import { rehearsedPut } from "./rehearsed-put.ts";

/** `import sell-orders`: a ramp partner's sell orders, from a file of one JSON document a line. */
export function importSellOrders(group: Command): void {
  addImportCommand(group, {
    name: "sell-orders",
    summary: "import a ramp partner's sell orders",
    owner: {
      name: "partner",
      summary: "the partner that the orders belong to: the owner of its API keys",
      hasRecords: (store, partnerId) => registerOf(store).hasAny(partnerId),
    },
    shape: sellOrderDocument,
    writerOf: (store, partnerId, intake, journal) =>
      writer(store, partnerId, intake, journaledPut(store.table("SellOrders"), journal)),
    rehearsalOf: (store, partnerId, intake) => writer(store, partnerId, intake, rehearsedPut()),
  });
}

const registerOf = ({ table }: OperatorStore, put?: typeof putVersioned) =>
  new SellOrderRegister(table("SellOrders"), put);

function writer(store: OperatorStore, partnerId: string, intake: Intake, put: typeof putVersioned) {
  const register = registerOf(store, put);
  return (text: string) => putSellOrder(register, store.brand, partnerId, text, intake);
}
