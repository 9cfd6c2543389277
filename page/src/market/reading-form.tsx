import { useRef, useState } from "preact/hooks";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { useLive } from "../use-live.ts";
import { complaintOf } from "./instants.ts";
import styles from "./market.module.css";
import { type MarketDesk, readChosen } from "./market-desk.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How far back the trades are read. The demo has those of 60 days. */
const SPANS: readonly (readonly [spanMs: number, title: string])[] = [
  [HOUR_MS, "1 hour"],
  [DAY_MS, "1 day"],
  [3 * DAY_MS, "3 days"],
  [7 * DAY_MS, "7 days"],
  [30 * DAY_MS, "30 days"],
  [60 * DAY_MS, "60 days"],
];
/** A choice is read once nobody has changed it for so long: what is passed over on the way costs nothing. */
const SETTLE_MS = 300;

/** Chooses a market and a time, and reads its trades: at once, and after each change. */
export function ReadingForm({ desk }: { readonly desk: MarketDesk }) {
  const { markets, credentials } = useSession();
  const { symbols } = credentials.exchange;
  const { symbol, spanMs, until } = useLive(desk.choice);
  const [isOdd, setOdd] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const read = (): void => {
    clearTimeout(timer.current);
    setOdd(!readChosen(desk));
  };
  const choose = (change: Partial<MarketDesk["choice"]["value"]>): void => {
    desk.choice.set({ ...desk.choice.value, ...change, isRead: false });
    desk.view.set(undefined);
    clearTimeout(timer.current);
    timer.current = setTimeout(read, SETTLE_MS);
  };
  return (
    <form
      class={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        read();
      }}
    >
      <Field
        label="Market"
        value={symbol}
        onInput={(value) => choose({ symbol: value })}
        choices={[...new Set([...symbols, ...markets])].map((market) => [market, market])}
      />
      <Field
        label="Time"
        value={String(spanMs)}
        onInput={(value) => choose({ spanMs: Number(value) })}
        choices={SPANS.map(([ms, title]) => [String(ms), title])}
      />
      <Field
        label="Until"
        value={until}
        placeholder="now or 2026-11-20"
        onInput={(value) => choose({ until: value })}
        {...(isOdd && { complaint: complaintOf(until) })}
      />
      <Button type="submit">Read again</Button>
    </form>
  );
}
