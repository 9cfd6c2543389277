import type { ComponentChildren } from "preact";
import styles from "./table.module.css";

interface TableProps {
  readonly caption: string;
  /** Whether the caption is only for those who do not see the table's place. */
  readonly isCaptionHidden?: boolean;
  readonly head: readonly ComponentChildren[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Columns of figures, by their place from 0: aligned to the right, with digits of one width. */
  readonly figures?: readonly number[];
}

/** A table that scrolls by itself where the screen is narrower. The first cell of a row names the row. */
export function Table({ caption, isCaptionHidden = false, head, rows, figures = [] }: TableProps) {
  const classOf = (column: number): string | undefined =>
    figures.includes(column) ? styles.figure : undefined;
  return (
    // A region that scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls
    <section class={styles.frame} aria-label={caption} tabIndex={0}>
      <table class={styles.table}>
        <caption {...(isCaptionHidden && { class: "visually-hidden" })}>{caption}</caption>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col" class={classOf(column)}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row" class={classOf(column)}>
                    {cell}
                  </th>
                ) : (
                  <td key={column} class={classOf(column)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
