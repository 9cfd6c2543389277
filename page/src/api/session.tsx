import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import type { Session } from "../../../local/page/page-questions.ts";
import { Notice } from "../parts/notice.tsx";
import { ask } from "./ask.ts";

export type { Session, SessionEndpoint, SessionParameter } from "../../../local/page/page-questions.ts";

interface SessionState {
  readonly session: Session;
  readonly refresh: () => Promise<void>;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

function useSessionState(): SessionState {
  const state = useContext(SessionContext);
  if (state === undefined) throw new Error("There is no session above this component.");
  return state;
}

/** What is served, and the demo's credentials. Only components below a `SessionProvider` may call it. */
export const useSession = (): Session => useSessionState().session;

/** Asks for the session again, as after a reset, which may make new ids. Rejects with an `AskError`. */
export const useRefreshSession = (): (() => Promise<void>) => useSessionState().refresh;

/** Asks for the session, and shows its children once it is there. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [session, setSession] = useState<Session>();
  const [failure, setFailure] = useState<string>();
  const refresh = useCallback(async () => setSession(await ask("session", {})), []);
  useEffect(() => {
    refresh().catch((error: Error) => setFailure(error.message));
  }, [refresh]);
  if (failure !== undefined)
    return (
      <main>
        <h1>countinghouse</h1>
        <Notice tone="bad">{failure}</Notice>
      </main>
    );
  if (session === undefined) return <p role="status">Loading …</p>;
  return <SessionContext.Provider value={{ session, refresh }}>{children}</SessionContext.Provider>;
}
