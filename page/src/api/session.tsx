import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Session } from "../../../local/page/page-questions.ts";
import { Notice } from "../parts/notice.tsx";
import { ask } from "./ask.ts";

export type { Session, SessionEndpoint, SessionParameter } from "../../../local/page/page-questions.ts";

const SessionContext = createContext<Session | undefined>(undefined);

/** What is served, and the demo's credentials. Only components below a `SessionProvider` may call it. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("There is no session above this component.");
  return session;
}

/** Asks for the session once, and shows its children when it is there. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [session, setSession] = useState<Session>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    ask("session", {}).then(setSession, (error: Error) => setFailure(error.message));
  }, []);
  if (failure !== undefined) return <Notice tone="bad">{failure}</Notice>;
  if (session === undefined) return <p role="status">Loading …</p>;
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}
