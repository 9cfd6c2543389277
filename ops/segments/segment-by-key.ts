import { readKey } from "../../lib/trades/segment-key.ts";
import { isInstant, type Place } from "../../lib/trades/trade.ts";
import type { SegmentSource } from "../../lib/trades/trade-reader.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";

const KEY =
  /^(?<partition>[A-Z0-9]{1,20}-[A-Z0-9]{1,20}#\d{1,7}(?:#withdrawn)?)\/(?<sort>(?:[0-9a-f]{2}){1,1024})$/;

/** The key of a segment from its text. @throws {RangeError} with a message for the operator. */
export function parseKey(text: string): Pick<StoredSegment, "partition" | "sort"> {
  const { partition, sort } = KEY.exec(text)?.groups ?? {};
  if (partition !== undefined && sort !== undefined) return { partition, sort: Buffer.from(sort, "hex") };
  throw new RangeError(
    "Give a key as `segments check` and the function's log show it, such as BTC-USD#649/0000….",
  );
}

/** The segment under a key, with every acknowledged write; undefined when there is none. */
export async function findSegment(
  source: SegmentSource,
  { partition, sort }: Pick<StoredSegment, "partition" | "sort">,
): Promise<StoredSegment | undefined> {
  const question = { partition, from: sort, to: sort, after: undefined, segmentsMax: 1, isConsistent: true };
  return (await source.page(question)).segments[0];
}

/** The place of a segment's last trade, which its key names; undefined when the key names no instant. */
export function lastPlaceIn({ sort }: Pick<StoredSegment, "sort">): Place | undefined {
  const { last } = readKey(sort);
  return isInstant(last.tradedAt) ? last : undefined;
}
