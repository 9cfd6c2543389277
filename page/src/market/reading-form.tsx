import { useState } from "preact/hooks";
import { thisPlatform } from "../../../client/src/platform.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import styles from "./market.module.css";
import type { MarketDesk } from "./market-desk.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How far back the trades are read. The demo has those of 60 days. */
const SPANS: readonly (readonly [spanMs: number, title: string])[] = [
  [HOUR_MS, "The last hour"],
  [DAY_MS, "The last day"],
  [7 * DAY_MS, "The last 7 days"],
  [30 * DAY_MS, "The last 30 days"],
  [60 * DAY_MS, "The last 60 days"],
];

interface ReadingFormProps {
  readonly desk: MarketDesk;
  readonly symbols: readonly string[];
}

/** Chooses a market and a time, and begins to read its trades. */
export function ReadingForm({ desk: { reading, view }, symbols }: ReadingFormProps) {
  const { asked } = reading.state.value;
  const [symbol, setSymbol] = useState(asked?.symbol ?? symbols[0] ?? "");
  const [spanMs, setSpanMs] = useState(asked === undefined ? 7 * DAY_MS : asked.toMs - asked.fromMs);
  const begin = (event: Event): void => {
    event.preventDefault();
    const toMs = thisPlatform.now();
    view.set(undefined);
    void reading.begin({ symbol, fromMs: toMs - spanMs, toMs });
  };
  return (
    <form class={styles.form} onSubmit={begin}>
      <Field
        label="Market"
        value={symbol}
        onInput={setSymbol}
        choices={symbols.map((choice) => [choice, choice])}
      />
      <Field
        label="Time"
        value={String(spanMs)}
        onInput={(value) => setSpanMs(Number(value))}
        choices={SPANS.map(([ms, title]) => [String(ms), title])}
      />
      <Button kind="main" type="submit">
        Read the trades
      </Button>
    </form>
  );
}
