import { useEffect, useState } from "preact/hooks";
import { thisPlatform } from "../../../client/src/platform.ts";
import { ask } from "../api/ask.ts";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { useLive } from "../use-live.ts";
import type { MarketDesk } from "./market-desk.ts";

const PER_SECOND = 5;
/** How often what is new is read: trades are written once a second. */
const FOLLOW_MS = 1_000;

/** A switch that lets a market of the demo go on, and reads what is new, for as long as this part of the page is shown. */
export function LiveTrades({ desk: { reading, choice } }: { readonly desk: MarketDesk }) {
  const { symbols } = useSession().credentials.exchange;
  const { until } = useLive(choice);
  const { phase, asked } = useLive(reading.state);
  const [isOn, setOn] = useState(false);
  const [failure, setFailure] = useState<string>();
  const symbol = asked?.symbol;
  const isOffered = phase === "done" && symbol !== undefined && symbols.includes(symbol) && until === "";
  const isLive = isOn && isOffered;
  useEffect(() => {
    if (!isLive || symbol === undefined) return;
    const fail = (error: Error): void => setFailure(error.message);
    ask("trades-live", { market: symbol, perSecond: PER_SECOND }).catch(fail);
    const timer = setInterval(() => void reading.follow(thisPlatform.now()), FOLLOW_MS);
    return () => {
      clearInterval(timer);
      ask("trades-live", { stop: true }).catch(fail);
    };
  }, [isLive, symbol, reading]);
  if (!isOffered) return null;
  return (
    <>
      <Button isPressed={isOn} onClick={() => setOn(!isOn)}>
        Live trades
      </Button>
      {isOn && (
        <p class="soft" role="status">
          {PER_SECOND} trades a second are written, and read.
        </p>
      )}
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
    </>
  );
}
