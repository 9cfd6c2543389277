import { useRef } from "preact/hooks";
import type { Explanation } from "../../../local/history/explain-route.ts";
import { clearFaults, faults, isOn } from "../api/alive.ts";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { useLive } from "../use-live.ts";

interface OnPurposeProps {
  readonly by: Explanation | undefined;
  readonly onClear?: () => void;
}

/** Says by which fault an answer failed, and ends the faults of its endpoint; nothing where no fault did that. */
export function OnPurpose({ by, onClear }: OnPurposeProps) {
  const { fault, endpoint } = by ?? {};
  const isSet = useLive(faults).some((one) => isOn(one) && one.fault === fault && one.endpoint === endpoint);
  const isClearing = useRef(false);
  if (fault === undefined) return null;
  // The header says of a service that is gone.
  const clear = (): void => {
    isClearing.current = true;
    void clearFaults(endpoint).then(onClear, () => {});
  };
  // The keyboard goes on from what takes the button's place.
  const takeFocus = (off: HTMLElement | null): void => {
    if (isClearing.current) off?.focus();
    isClearing.current = false;
  };
  return (
    <Notice tone="warn" word="On purpose">
      You set the fault <code>{fault}</code> for {endpoint}.{" "}
      {isSet ? (
        <Button onClick={clear}>Clear it</Button>
      ) : (
        <span tabIndex={-1} ref={takeFocus}>
          It is off now.
        </span>
      )}
    </Notice>
  );
}
