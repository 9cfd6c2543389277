import { useState } from "preact/hooks";
import { askAlive, clearFaults, faults, isOn, type ListedFault } from "../api/alive.ts";
import { type AskError, ask } from "../api/ask.ts";
import { FailureNotice } from "../api/failure-notice.tsx";
import { Button } from "../parts/button.tsx";
import { Table } from "../parts/table.tsx";
import { useLive } from "../use-live.ts";
import { useRoute } from "../use-route.ts";
import { FaultFormView } from "./fault-form.tsx";
import type { FaultOrder } from "./fault-order.ts";
import styles from "./log.module.css";

/** The faults that requests meet on purpose: which there are, a form that sets one, and buttons that end them. */
export function Faults() {
  const on = useLive(faults).filter(isOn);
  const { query } = useRoute();
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<AskError>();
  const follow = async (act: () => Promise<string>): Promise<void> => {
    try {
      setSaid(await act());
      setFailure(undefined);
    } catch (error) {
      setFailure(error as AskError);
    }
  };
  const set = (order: FaultOrder): Promise<void> =>
    follow(async () => {
      await ask("set-fault", order);
      await askAlive();
      return `The fault ${order.fault} is on.`;
    });
  const clear = (route?: string): Promise<void> =>
    follow(async () => {
      // What is used up is cleared with the others, and is not of those that are ended.
      const ended = on.filter(({ endpoint }) => route === undefined || route === endpoint).length;
      await clearFaults(route);
      return ended === 1 ? "One fault was ended." : `${ended} faults were ended.`;
    });
  return (
    <details class={styles.faults} open={query === "faults"}>
      <summary>Faults on purpose: {on.length === 0 ? "none is on" : `${on.length} on`}</summary>
      <FaultFormView onSet={(order) => void set(order)} />
      <p role="status">{said}</p>
      <FailureNotice failure={failure} />
      <FaultList faults={on} onClear={(route) => void clear(route)} />
    </details>
  );
}

interface FaultListProps {
  /** Those that are on: one that is used up has left. */
  readonly faults: readonly ListedFault[];
  /** Ends the faults of an endpoint; of every one without a name. */
  readonly onClear: (route?: string) => void;
}

function FaultList({ faults, onClear }: FaultListProps) {
  if (faults.length === 0)
    return <p class="soft">No fault is switched on: requests are answered as on AWS.</p>;
  return (
    <>
      <Table
        caption="Faults that are on"
        head={["Endpoint", "Fault", "Met", "How often", "End it"]}
        figures={[2]}
        rows={faults.map(({ endpoint, fault, effect, hits, ...often }) => [
          endpoint,
          <span key="fault">
            <code>{fault}</code>: {effect}
          </span>,
          hits,
          oftenText(often),
          <Button key="clear" onClick={() => onClear(endpoint)}>
            Clear {endpoint}
          </Button>,
        ])}
      />
      <p>
        <Button onClick={() => onClear()}>Clear all faults</Button>
      </p>
    </>
  );
}

function oftenText({ times, oneIn, untilMs }: Partial<ListedFault>): string {
  const share = oneIn === undefined || oneIn === 1 ? "every request" : `one request in ${oneIn}`;
  const most = times === undefined ? "" : `, ${times} at most`;
  const until = untilMs === undefined ? "" : `, until ${new Date(untilMs).toISOString()}`;
  return `${share}${most}${until}`;
}
