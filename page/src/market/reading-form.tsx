import { useRef } from "preact/hooks";
import { servicePlatform } from "../api/service-platform.ts";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { useLive } from "../use-live.ts";
import { type Choice, SPANS } from "./choice.ts";
import { complaintOf, isAhead, untilMs } from "./instants.ts";
import { type MarketDesk, readChosen } from "./market-desk.ts";

/** A choice is read once nobody has changed it for so long: what is passed over on the way costs nothing. */
const SETTLE_MS = 300;

/** Chooses a market and a time, and reads its trades: at once, and after each change. */
export function ReadingForm({ desk }: { readonly desk: MarketDesk }) {
  const { markets, credentials } = useSession();
  const { symbols } = credentials.exchange;
  const { symbol, hours, until, isRead } = useLive(desk.choice);
  const isOdd = isRead && untilMs(until, servicePlatform.now()) === undefined;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const read = (): void => {
    clearTimeout(timer.current);
    readChosen(desk);
  };
  const choose = (change: Partial<Choice>): void => {
    desk.choice.change({ ...change, isRead: false });
    desk.view.set(undefined);
    clearTimeout(timer.current);
    timer.current = setTimeout(read, SETTLE_MS);
  };
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        read();
      }}
    >
      <Field
        label="Market"
        value={symbol}
        onInput={(value) => choose({ symbol: value })}
        choices={[...new Set([...symbols, ...markets, symbol])].map((market) => [market, market])}
      />
      <Field
        label="Time"
        value={String(hours)}
        onInput={(value) => choose({ hours: Number(value) })}
        choices={SPANS.map(([choice, title]) => [String(choice), title])}
      />
      <Field
        label="Until"
        value={until}
        placeholder="now or 2026-11-20"
        onInput={(value) => choose({ until: value })}
        hint={
          isAhead(until, servicePlatform.now()) ? "That is to come: trades are read until now." : undefined
        }
        complaint={isOdd ? complaintOf(until) : undefined}
      />
      <Button type="submit">Read again</Button>
    </form>
  );
}
