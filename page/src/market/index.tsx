import { useEffect, useState } from "preact/hooks";
import { WhileThere } from "../api/failure-notice.tsx";
import { useSession } from "../api/session.tsx";
import { OnPurpose } from "../log/on-purpose.tsx";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { explained } from "../try-it/send-prepared.ts";
import { useFound, useLive } from "../use-live.ts";
import { useKept, useRoute } from "../use-route.ts";
import { askingFor } from "./choice.ts";
import { LiveTrades, PER_SECOND, useIsLive } from "./live-trades.tsx";
import styles from "./market.module.css";
import { MarketChart } from "./market-chart.tsx";
import { type MarketDesk, marketDesk, readAsked } from "./market-desk.ts";
import { ReadingForm } from "./reading-form.tsx";
import { WaitNote } from "./wait-note.tsx";

/** The screen "Market": a market's trades as a chart and a table, and what reading them costs of the budgets. */
export function Market() {
  const desk = marketDesk(useSession());
  const { query } = useRoute();
  useEffect(() => readAsked(desk, query), [query]);
  useKept("#/market", askingFor(useLive(desk.choice), desk.first));
  return (
    <>
      <h1>Market</h1>
      <ReadingForm desk={desk} />
      <Reading desk={desk} />
      <MarketChart desk={desk} />
    </>
  );
}

/** How far the reading has come, with the buttons that stop it and let it go on. */
function Reading({ desk }: { readonly desk: MarketDesk }) {
  const { reading, readingWait } = desk;
  const { phase, asked, awaited, points, pages, tokens, problem, failedId } = useLive(reading.state);
  const { symbol, isRead } = useLive(desk.choice);
  const isLive = useIsLive(desk);
  const wholeMs = Math.max(1, asked === undefined ? 0 : asked.toMs - asked.fromMs);
  const readMs =
    asked === undefined || awaited !== undefined ? 0 : asked.toMs - (points.at(-1)?.atMs ?? asked.toMs);
  return (
    <section class={styles.reading} aria-label="The reading">
      <progress
        aria-label="Part of the time that was read"
        max={wholeMs}
        value={phase === "done" ? wholeMs : readMs}
      />
      <div class={`row ${styles.counts}`}>
        {phase === "reading" && <Button onClick={() => reading.stop()}>Stop</Button>}
        {(phase === "stopped" || phase === "failed") && (
          <Button onClick={() => void reading.goOn()}>Go on</Button>
        )}
        <LiveTrades desk={desk} />
        <Announced text={isRead ? announcementOf(phase, points.length, isLive) : `Reading ${symbol} …`} />
        <p class="soft">
          {countText(points.length, "trade")} on {countText(pages, "page")} for {countText(tokens, "token")}
        </p>
        <WhileThere>
          <WaitNote live={readingWait} />
        </WhileThere>
      </div>
      {problem !== undefined && (
        <WhileThere>
          <Notice tone="bad" word="The reading failed">
            {problem}
            {awaited !== undefined && " What was read before is still shown."}
          </Notice>
          <FailedOnPurpose key={failedId} id={failedId} onClear={() => void reading.goOn()} />
        </WhileThere>
      )}
    </section>
  );
}

/** Says by which fault a request of the reading failed, if one did that. */
function FailedOnPurpose({ id, onClear }: { readonly id: string | undefined; readonly onClear: () => void }) {
  const by = useFound(() => explained(id), [id]);
  return <OnPurpose by={by} onClear={onClear} />;
}

/** A sentence that a screen reader says when it changes. */
function Announced({ text }: { readonly text: string }) {
  // A region is read out when its text changes, and not when it appears with one.
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(text), [text]);
  return <p role="status">{said}</p>;
}

function announcementOf(phase: string, trades: number, isLive = false): string {
  if (isLive) return `${PER_SECOND} trades a second are written, and read.`;
  if (phase === "done") return trades === 0 ? "There is no trade in this time." : "All trades are here.";
  if (phase === "stopped") return "Stopped. The trades that came are below.";
  return phase === "reading" ? "Reading …" : "";
}

/** A count with its noun: `1 page`, `2,345 trades`. */
const countText = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
