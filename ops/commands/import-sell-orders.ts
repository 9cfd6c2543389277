import type { Command } from "commander";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderStore } from "../../lib/sell-orders/sell-order-store.ts";
import { addImportCommand } from "../import/import-command.ts";

/** `import sell-orders`: a ramp partner's sell orders, from a file of one JSON document a line. */
export function importSellOrders(group: Command): void {
  addImportCommand(group, {
    name: "sell-orders",
    summary: "import a ramp partner's sell orders",
    owner: "partner",
    ownerSummary: "the partner they belong to: the owner of its API keys",
    writerOf: ({ client, tableName, brand }, partnerId) => {
      const store = new SellOrderStore(client, tableName("SellOrders"));
      return (text) => putSellOrder(store, brand, partnerId, text);
    },
  });
}
