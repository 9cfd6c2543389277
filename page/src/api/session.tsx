import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Session } from "../../../local/page/page-questions.ts";
import { LiveState } from "../live-state.ts";
import { Notice } from "../parts/notice.tsx";
import { useLive } from "../use-live.ts";
import { ask } from "./ask.ts";
import { aheadMs } from "./service-platform.ts";

export type { Session, SessionEndpoint, SessionParameter } from "../../../local/page/page-questions.ts";

const live = new LiveState<Session | undefined>(undefined);

/** Asks for the session; again after a reset, which may make new ids. Rejects with an `AskError`. */
export async function refreshSession(): Promise<void> {
  const told = await ask("session", {});
  aheadMs.set(told.aheadMs);
  live.set(told);
}

/** What is served, and the demo's credentials. Only components below a `SessionProvider` may call it. */
export function useSession(): Session {
  const session = useLive(live);
  if (session === undefined) throw new Error("There is no session yet.");
  return session;
}

/** Asks for the session, and shows its children once it is there. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const session = useLive(live);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    refreshSession().catch((error: Error) => setFailure(error.message));
  }, []);
  if (failure !== undefined)
    return (
      <main>
        <h1>countinghouse</h1>
        <Notice tone="bad">{failure}</Notice>
      </main>
    );
  return session === undefined ? <p role="status">Loading …</p> : children;
}
