import type { Command } from "commander";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { addImportCommand } from "../import/import-command.ts";

/** `import sell-orders`: a ramp partner's sell orders, from a file of one JSON document a line. */
export function importSellOrders(group: Command): void {
  addImportCommand(group, {
    name: "sell-orders",
    summary: "import a ramp partner's sell orders",
    owner: { name: "partner", summary: "the partner they belong to: the owner of its API keys" },
    writerOf: ({ client, tableName, brand }, partnerId, intake) => {
      const register = new SellOrderRegister(client, tableName("SellOrders"));
      return (text) => putSellOrder(register, brand, partnerId, text, intake);
    },
  });
}
