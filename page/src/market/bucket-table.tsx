import styles from "./bucket-table.module.css";
import { exactText } from "./exact.ts";
import { instantText, isoText } from "./instants.ts";
import type { Bucket } from "./trade-buckets.ts";

interface BucketTableProps {
  readonly title: string;
  readonly buckets: readonly Bucket[];
  readonly widthMs: number;
}

const COLUMNS = ["Open", "High", "Low", "Close", "Volume", "Trades"] as const;

/** The chart's numbers, newest first, with every digit. */
export function BucketTable({ title, buckets, widthMs }: BucketTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, and the keyboard has to reach it
    <section class={styles.frame} aria-label={title} tabIndex={0}>
      <table class={styles.table}>
        <caption>{title}, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" class={styles.figure}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.toReversed().map(({ startMs, open, high, low, close, volume, trades }) => (
            <tr key={startMs}>
              <th scope="row" class={styles.time}>
                <time dateTime={isoText(startMs)}>{instantText(startMs, widthMs)}</time>
              </th>
              {[open, high, low, close, volume].map((value, column) => (
                <td key={column} class={styles.figure}>
                  {exactText(value)}
                </td>
              ))}
              <td class={styles.figure}>{trades}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
