import type { Entry } from "dynalite/db/index.js";
import type { Brand } from "../../lib/brand.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import { type DemoRecords, readDemoRecords } from "../../local/demo/demo-records.ts";
import { seedRecords } from "../../local/demo/seed-records.ts";
import { fewBusyTrades } from "../../local/demo/trade-plan.ts";
import { continueDemoTrades, listDemoMarkets } from "../../local/demo/trades.ts";
import { openMemoryStore } from "../../local/store/memory-store.ts";
import { createTables, type TableDefinition } from "../../local/store/tables.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";

const DAY_MS = 86_400_000;
/** Contents that are kept, of some megabytes each: tests mostly begin at a few instants. */
const KEPT_MAX = 16;

/** What a store is filled with when a world begins, and the records that credentials name. */
export interface BaseContent {
  readonly entries: readonly Entry[];
  readonly records: DemoRecords;
  /** Until when its markets have trades, in epoch milliseconds; for ever where they have none. */
  readonly untilMs: number;
}

/** What the content of a world follows from. */
export interface ContentOrder {
  readonly tables: readonly TableDefinition[];
  readonly brand: Brand;
  /** The instant at which the world begins, in epoch milliseconds. */
  readonly atMs: number;
  /** Whether this instant was asked for. Otherwise any instant of its day that is not later will do. */
  readonly isExact: boolean;
  /** Whether it has the demo's records. Without them it has their markets alone. */
  readonly hasDemo: boolean;
}

/**
 * Makes the content of worlds: once for all that begin alike, because it takes much longer than to copy it. No file keeps
 * it, which would have to be found, trusted and dated.
 */
export class BaseContents {
  readonly #made = new RecentMap<string, Promise<BaseContent>>(KEPT_MAX);
  readonly #report: (error: unknown) => void;

  /** @param report receives the errors of stores. */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  of(order: ContentOrder): Promise<BaseContent> {
    const name = nameOf(order);
    const making = this.#made.get(name) ?? this.#make(order);
    this.#made.set(name, making);
    return making;
  }

  async #make({ tables, brand, atMs, hasDemo }: ContentOrder): Promise<BaseContent> {
    const clock = () => atMs;
    const store = await openMemoryStore({ clock, report: this.#report });
    try {
      const parts = { client: store.client, stage: LOCAL_STAGE, brand, clock };
      await createTables(store.client, tables);
      if (!hasDemo) {
        await listDemoMarkets(parts);
        const records = await readDemoRecords({
          anchorMs: atMs - (atMs % DAY_MS),
          ownAccount: brand.ownAccount,
        });
        return { entries: await store.content.read(), records, untilMs: Number.POSITIVE_INFINITY };
      }
      const { records } = await seedRecords({ ...parts, isEmpty: true });
      await continueDemoTrades({ ...parts, busy: fewBusyTrades });
      return { entries: await store.content.read(), records, untilMs: atMs };
    } finally {
      await store.close();
    }
  }
}

const nameOf = ({ brand, atMs, isExact, hasDemo }: ContentOrder): string =>
  JSON.stringify([hasDemo, brand.ownAccount, isExact ? atMs : `day ${Math.floor(atMs / DAY_MS)}`]);
