import { useEffect, useState } from "preact/hooks";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { useLive } from "../use-live.ts";
import { Budgets } from "./budgets.tsx";
import { LiveTrades } from "./live-trades.tsx";
import styles from "./market.module.css";
import { MarketChart } from "./market-chart.tsx";
import { type MarketDesk, marketDesk } from "./market-desk.ts";
import { ReadingForm } from "./reading-form.tsx";
import { WaitNote } from "./wait-note.tsx";

/** The screen "Market": a market's trades as a chart and a table, and what reading them costs of the budgets. */
export function Market() {
  const session = useSession();
  const desk = marketDesk(session);
  return (
    <>
      <h1>Market</h1>
      <p>
        Trades come page by page from <code>GET /1.0/trades/all/{"{symbol}"}</code>; this browser signs each
        request. Amounts are added up exactly.
      </p>
      <ReadingForm desk={desk} symbols={session.credentials.exchange.symbols} />
      <Reading desk={desk} />
      <Budgets desk={desk} />
      <MarketChart desk={desk} />
    </>
  );
}

/** How far the reading has come, with the buttons that stop it and let it go on. */
function Reading({ desk: { reading, readingWait } }: { readonly desk: MarketDesk }) {
  const { phase, asked, points, pages, tokens, problem } = useLive(reading.state);
  if (asked === undefined) return null;
  const oldestMs = points.at(-1)?.atMs ?? asked.toMs;
  const isDone = phase === "done";
  const reachedMs = isDone ? asked.fromMs : oldestMs;
  return (
    <section class={styles.reading} aria-labelledby="reading-title">
      <h2 id="reading-title">{asked.symbol}</h2>
      <progress
        aria-label="Part of the time that was read"
        max={Math.max(1, asked.toMs - asked.fromMs)}
        value={isDone ? Math.max(1, asked.toMs - asked.fromMs) : asked.toMs - reachedMs}
      />
      <div class={styles.counts}>
        {phase === "reading" && <Button onClick={() => reading.stop()}>Stop</Button>}
        {(phase === "stopped" || phase === "failed") && (
          <Button onClick={() => void reading.goOn()}>Go on</Button>
        )}
        <LiveTrades reading={reading} />
        <Announced text={announcementOf(phase, points.length)} />
        <p class={styles.soft}>
          {countText(points.length, "trade")} on {countText(pages, "page")} for {countText(tokens, "token")}
        </p>
      </div>
      <WaitNote live={readingWait} />
      {problem !== undefined && (
        <Notice tone="bad" word="It failed">
          {problem}
        </Notice>
      )}
    </section>
  );
}

/** A sentence that a screen reader says when it changes. */
function Announced({ text }: { readonly text: string }) {
  // A region is read out when its text changes, and not when it appears with one.
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(text), [text]);
  return <p role="status">{said}</p>;
}

function announcementOf(phase: string, trades: number): string {
  if (phase === "done") return trades === 0 ? "There is no trade in this time." : "All trades are here.";
  if (phase === "stopped") return "Stopped. The trades that came are below.";
  return phase === "reading" ? "Reading …" : "";
}

/** A count with its noun: `1 page`, `2,345 trades`. */
const countText = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
