import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Notice } from "./notice.tsx";

interface ScreenProps {
  readonly load: () => Promise<ComponentType<{ endpoint?: string }>>;
  readonly endpoint?: string;
}

/** A screen whose code is loaded when it is opened for the first time. */
export function Screen({ load, ...rest }: ScreenProps) {
  const [loaded, setLoaded] = useState<{ readonly View: ComponentType<{ endpoint?: string }> }>();
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    load().then(
      (View) => setLoaded({ View }),
      (error: unknown) => {
        // The notice says what to do; the console says why.
        console.error(error);
        setLost(true);
      },
    );
  }, [load]);
  if (isLost)
    return (
      <Notice tone="bad" word="Not loaded">
        This screen could not be loaded. Is the service still running?
      </Notice>
    );
  return loaded === undefined ? <p role="status">Loading …</p> : <loaded.View {...rest} />;
}
