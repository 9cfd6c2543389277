import { Table } from "../parts/table.tsx";
import { exactText } from "./exact.ts";
import { instantText, isoText } from "./instants.ts";
import type { Bucket } from "./trade-buckets.ts";

interface BucketTableProps {
  readonly title: string;
  readonly buckets: readonly Bucket[];
  readonly widthMs: number;
}

/** The chart's numbers, newest first, with every digit. */
export const BucketTable = ({ title, buckets, widthMs }: BucketTableProps) => (
  <Table
    caption={`${title}, newest first`}
    head={["Time", "Open", "High", "Low", "Close", "Volume", "Trades"]}
    figures={[1, 2, 3, 4, 5, 6]}
    isLow
    rows={buckets.toReversed().map(({ startMs, open, high, low, close, volume, trades }) => [
      <time key={startMs} dateTime={isoText(startMs)}>
        {instantText(startMs, widthMs)}
      </time>,
      ...[open, high, low, close, volume].map(exactText),
      trades,
    ])}
  />
);
