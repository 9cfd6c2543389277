import { textOf } from "../../lib/dynamo/item.ts";
import { versionInstant } from "../../lib/lifecycle.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { readWhole, type Watch } from "./read-pages.ts";
import type { Tenant } from "./tenant.ts";

/** The tables whose records have an owner and a version, with the owner's attribute. */
const OWNED = [
  { table: "Transactions", kind: "business", owner: "business_id" },
  { table: "SellOrders", kind: "partner", owner: "partner_id" },
] as const;

interface Count {
  records: number;
  /** The highest version, which begins with the instant of the update. */
  version: string;
}

/** Counts the transactions of each business and the sell orders of each partner, with the newest change of each. */
export async function countOwned(
  { table }: Pick<OperatorStore, "table">,
  watch: Watch,
): Promise<readonly Tenant[]> {
  const found: Tenant[] = [];
  for (const { table: name, kind, owner } of OWNED) {
    const counts = new Map<string, Count>();
    await readWhole(
      table(name),
      [owner, "version"],
      (item) => {
        const count = counts.get(textOf(item, owner)) ?? { records: 0, version: "" };
        count.records += 1;
        if (textOf(item, "version") > count.version) count.version = textOf(item, "version");
        counts.set(textOf(item, owner), count);
      },
      watch,
    );
    for (const [id, { records, version }] of counts)
      found.push({ kind, owner: id, records, newest: version === "" ? undefined : versionInstant(version) });
  }
  return found;
}

/** Counts the passes, void ones too; no row without any. */
export async function countPasses(
  { table }: Pick<OperatorStore, "table">,
  watch: Watch,
): Promise<readonly Tenant[]> {
  let records = 0;
  const take = () => {
    records += 1;
  };
  await readWhole(table("Passes"), ["partner_reference"], take, watch);
  return records === 0 ? [] : [{ kind: "passes", owner: undefined, records, newest: undefined }];
}
