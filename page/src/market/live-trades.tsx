import { useEffect, useState } from "preact/hooks";
import { askAlive, liveMarket } from "../api/alive.ts";
import { type AskError, ask } from "../api/ask.ts";
import { FailureNotice } from "../api/failure-notice.tsx";
import { servicePlatform } from "../api/service-platform.ts";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { useLive } from "../use-live.ts";
import type { MarketDesk } from "./market-desk.ts";

export const PER_SECOND = 5;
/** How often what is new is read: trades are written once a second. */
const FOLLOW_MS = 1_000;

/** Whether the market that was read goes on with live trades; undefined where it cannot. */
export function useIsLive({ reading, choice }: MarketDesk): boolean | undefined {
  const { symbols } = useSession().credentials.exchange;
  const { until } = useLive(choice);
  const { phase, asked } = useLive(reading.state);
  const goingOn = useLive(liveMarket);
  if (phase !== "done" || asked === undefined || until !== "" || !symbols.includes(asked.symbol))
    return undefined;
  return asked.symbol === goingOn;
}

/** A switch that lets a market of the demo go on in the server; what is new is read as long as it does. */
export function LiveTrades({ desk }: { readonly desk: MarketDesk }) {
  const { reading } = desk;
  const isLive = useIsLive(desk);
  const [failure, setFailure] = useState<AskError>();
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => void reading.follow(servicePlatform.now()), FOLLOW_MS);
    return () => clearInterval(timer);
  }, [isLive, reading]);
  if (isLive === undefined) return null;
  const market = reading.state.value.asked?.symbol ?? "";
  const press = (): Promise<void> =>
    ask("trades-live", isLive ? { stop: true } : { market, perSecond: PER_SECOND })
      .then(() => askAlive())
      .then(() => setFailure(undefined), setFailure);
  return (
    <>
      <Button isPressed={isLive} onClick={() => void press()}>
        Live trades
      </Button>
      <FailureNotice failure={failure} />
    </>
  );
}
