import { Trouble } from "../api/failure-notice.tsx";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { useLive, useNow } from "../use-live.ts";
import { GaugeView } from "./gauge-view.tsx";
import { isFullAt } from "./gauges.ts";
import styles from "./market.module.css";
import type { MarketDesk } from "./market-desk.ts";
import type { SpendingState } from "./spending.ts";
import { WaitNote } from "./wait-note.tsx";

/** The budgets of tokens as gauges, and a way to use each up, so that a 429 can be seen. */
export function Budgets({ desk }: { readonly desk: MarketDesk }) {
  const { spending, spendingCost, spendingWait } = desk;
  const gauges = useLive(desk.gauges);
  const state = useLive(spending.state);
  const isSpending = state.phase === "spending" || state.phase === "refused";
  const now = useNow((at) => gauges.some((gauge) => !isFullAt(gauge, at)));
  return (
    <section aria-labelledby="budgets-title">
      <h2 id="budgets-title">Budgets</h2>
      <div class={styles.gauges}>
        {gauges.map((gauge) => (
          <GaugeView key={gauge.name} gauge={gauge} now={now}>
            {isSpending && state.budget === gauge.name ? (
              <Button onClick={() => spending.stop()}>Stop</Button>
            ) : (
              <Button isDisabled={isSpending} onClick={() => void spending.useUp(gauge.name)}>
                Use it up<span class="visually-hidden"> (the budget of a {gauge.name})</span>
              </Button>
            )}
          </GaugeView>
        ))}
      </div>
      <p class="note">
        Trades come page by page from <code>GET /1.0/trades/all/{"{symbol}"}</code>; this browser signs each
        request. A page costs one token for each day of its window. The gauges show what{" "}
        <code>RateLimit</code> said last, and what has come back since by <code>RateLimit-Policy</code>.
      </p>
      <SpendingNote state={state} cost={spendingCost} />
      <WaitNote live={spendingWait} />
    </section>
  );
}

function SpendingNote({ state, cost }: { readonly state: SpendingState; readonly cost: number }) {
  const { phase, budget, answered, refused, toldMs, problem } = state;
  if (budget === undefined) return null;
  return (
    <>
      <p class="figures">
        {answered} × 200, {refused} × 429, {cost} tokens each
        {toldMs !== undefined && <>, Retry-After: {toldMs} (milliseconds)</>}
      </p>
      {phase === "recovered" && (
        <Notice tone="good" word="Answered again">
          The budget of a {budget} was used up, and waiting as long as <code>Retry-After</code> said was
          enough.
        </Notice>
      )}
      {phase === "stopped" && <Notice tone="info">Using up the budget was stopped.</Notice>}
      <Trouble word="It failed" text={problem} />
    </>
  );
}
