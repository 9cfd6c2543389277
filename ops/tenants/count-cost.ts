import { prices } from "../prices.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { readTableSizes, type TableSize } from "./table-sizes.ts";

const GIB = 1024 ** 3;
/** Below this, a count costs less than a cent or two, and takes seconds. */
const ASKED_BYTES_MIN = 4 * GIB;
/** One strongly consistent read unit. */
const UNIT_BYTES = 4_096;
const MILLION = 1_000_000;

/** Dollars for reading so many bytes of tables, as DynamoDB bills them on demand. */
export const readingCost = (bytes: number): number =>
  (Math.ceil(bytes / UNIT_BYTES) / MILLION) * prices.readUnitsPerMillion;

/** The question to confirm before a full scan; undefined when the tables are small. */
export function questionFor(sizes: readonly TableSize[]): string | undefined {
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  if (bytes <= ASKED_BYTES_MIN) return undefined;
  const [size, dollars] = [(bytes / GIB).toFixed(1), readingCost(bytes).toFixed(2)];
  return `This reads the tables whole, about ${size} GiB, which costs about ${dollars} USD (prices of ${prices.asOf}). Count them?`;
}

/** The question of a store of AWS; undefined elsewhere, where reading costs nothing. */
export const costQuestion = async (store: OperatorStore): Promise<string | undefined> =>
  store.aws === undefined ? undefined : questionFor(await readTableSizes(store));
