import { useEffect, useState } from "preact/hooks";
import { thisPlatform } from "../../../client/src/platform.ts";
import type { Questions } from "../../../local/page/page-questions.ts";
import { ask } from "../api/ask.ts";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import { FaultFormView } from "./fault-form.tsx";
import type { FaultOrder } from "./fault-order.ts";
import styles from "./log.module.css";

type ListedFault = Questions["faults"]["output"][number];

interface FaultsProps {
  /** How many of the requests in the log have met a fault: a new one changes what is listed. */
  readonly met: number;
}

/** The faults that requests meet on purpose: which there are, a form that sets one, and buttons that end them. */
export function Faults({ met }: FaultsProps) {
  const [faults, setFaults] = useState<readonly ListedFault[]>([]);
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<string>();
  const follow = async (act: () => Promise<string>): Promise<void> => {
    try {
      const outcome = await act();
      setFaults(await ask("faults", {}));
      setSaid(outcome);
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  useEffect(() => {
    ask("faults", {}).then(setFaults, (error: Error) => setFailure(error.message));
  }, [met]);
  useEnds(faults, setFaults);
  const on = faults.filter(({ state }) => state === "on");
  const set = (order: FaultOrder): Promise<void> =>
    follow(async () => {
      await ask("set-fault", order);
      return `The fault ${order.fault} is on.`;
    });
  const clear = (route?: string): Promise<void> =>
    follow(async () => {
      // What is used up is cleared with the others, and is not of those that are ended.
      const ended = on.filter(({ endpoint }) => route === undefined || route === endpoint).length;
      await ask("clear-faults", route === undefined ? {} : { route });
      return ended === 1 ? "One fault was ended." : `${ended} faults were ended.`;
    });
  return (
    <details class={styles.faults}>
      <summary>Faults on purpose: {on.length === 0 ? "none is on" : `${on.length} on`}</summary>
      <FaultFormView onSet={(order) => void set(order)} />
      <p role="status">{said}</p>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <FaultList faults={on} onClear={(route) => void clear(route)} />
    </details>
  );
}

/** Lists the faults again when one of them ends by its time. */
function useEnds(faults: readonly ListedFault[], onFaults: (faults: readonly ListedFault[]) => void): void {
  useEffect(() => {
    const ends = faults.flatMap(({ state, untilMs }) =>
      state === "on" && untilMs !== undefined ? [untilMs] : [],
    );
    if (ends.length === 0) return;
    const leftMs = Math.max(0, Math.min(...ends) - thisPlatform.now()) + 50;
    const timer = setTimeout(() => void ask("faults", {}).then(onFaults, () => {}), leftMs);
    return () => clearTimeout(timer);
  }, [faults, onFaults]);
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
            Clear<span class="visually-hidden"> {endpoint}</span>
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
