import type { Explanation } from "../../../local/history/explain-route.ts";
import { clearFaults, faults, isOn } from "../api/faults.ts";
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
  if (fault === undefined) return null;
  // The header says of a service that is gone.
  const clear = (): unknown => clearFaults(endpoint).then(onClear, () => {});
  return (
    <Notice tone="warn" word="On purpose">
      You set the fault <code>{fault}</code> for {endpoint}.{" "}
      <Button isDisabled={!isSet} onClick={clear}>
        {isSet ? "Clear it" : "It is off now"}
      </Button>
    </Notice>
  );
}
