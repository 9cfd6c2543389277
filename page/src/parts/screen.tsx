import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { service } from "../api/ask.ts";
import { useLive } from "../use-live.ts";

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
        // The screen says what to do; the console says why.
        console.error(error);
        setLost(true);
      },
    );
  }, [load]);
  if (isLost) return <LostScreen />;
  return loaded === undefined ? <p role="status">Loading …</p> : <loaded.View {...rest} />;
}

/** In place of a screen that did not come. Browsers keep an import that failed, and so the whole page is loaded again. */
function LostScreen() {
  const found = useLive(service);
  const before = useRef(found);
  useEffect(() => {
    if (found !== before.current && found !== "stopped") location.reload();
    before.current = found;
  }, [found]);
  return (
    <>
      <h1>This screen could not be loaded</h1>
      <p role="status">It is loaded once the service is back.</p>
    </>
  );
}
