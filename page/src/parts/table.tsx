import type { ComponentChildren } from "preact";
import styles from "./table.module.css";

interface TableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Columns of figures, by their place from 0: aligned to the right, with digits of one width. */
  readonly figures?: readonly number[];
  /** Whether it scrolls below its head instead of being as long as it is. */
  readonly isLow?: boolean;
}

/** A role that the element has anyway until a browser forgets it with the layout of a table. */
const as = <Role extends string>(role: Role) => ({ role });

/** A table whose first cell of a row names the row. Where the screen is narrow each row becomes a card. */
export function Table({ caption, head, rows, figures = [], isLow = false }: TableProps) {
  const classOf = (column: number): string | undefined =>
    figures.includes(column) ? styles.figure : undefined;
  return (
    // A region that scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls
    // biome-ignore lint/a11y/useSemanticElements: rows are no fields
    <div class={`frame panel ${isLow ? styles.low : ""}`} role="group" aria-label={caption} tabIndex={0}>
      <table class="cards" {...as("table")}>
        <caption>{caption}</caption>
        <thead {...as("rowgroup")}>
          <tr {...as("row")}>
            {head.map((cell, column) => (
              <th key={column} scope="col" {...as("columnheader")} class={classOf(column)}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as("rowgroup")}>
          {rows.map((cells, row) => (
            <tr key={row} {...as("row")}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row" {...as("rowheader")} class={classOf(column)}>
                    {cell}
                  </th>
                ) : (
                  <td key={column} {...as("cell")} data-label={head[column]} class={classOf(column)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
