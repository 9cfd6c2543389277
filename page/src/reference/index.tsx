import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../api/session.tsx";
import { Notice } from "../parts/notice.tsx";
import { useTheme } from "../style/theme.tsx";
import { showReference } from "./scalar.ts";
import "./scalar.css";

/** The OpenAPI document to read, by Scalar's component. Its own window for requests is hidden. */
export function Reference() {
  const { baseUrl } = useSession();
  const { shade } = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (place.current === null) return undefined;
    const shown = showReference(place.current, {
      url: `${new URL(baseUrl).pathname.replace(/\/$/, "")}/openapi.json`,
      shade,
    });
    shown.catch(() => setFailure("The reference could not be loaded. Is the service still running?"));
    return () =>
      void shown.then(
        ({ close }) => close(),
        () => {},
      );
  }, [baseUrl, shade]);
  return (
    <>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <div ref={place} />
    </>
  );
}
