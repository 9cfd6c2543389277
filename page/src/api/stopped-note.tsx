import { useEffect } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Notice } from "../parts/notice.tsx";
import { useLive } from "../use-live.ts";
import { askAlive } from "./alive.ts";
import { AskError, noteService, service } from "./ask.ts";
import { useSession } from "./session.tsx";

/** A stopped service is to be seen within two seconds. */
const ASK_EVERY_MS = 1_500;
/** A service that is only slow is not told of. */
const HANGS_AFTER_MS = 10_000;

/** Says on every screen that the service is gone, until it answers again. */
export function StoppedNote() {
  const { commands } = useSession();
  const found = useService();
  if (found === "answers") return null;
  return (
    <Notice
      tone={found === "stopped" ? "bad" : "info"}
      word={found === "stopped" ? "The service has stopped" : "The service is back"}
    >
      {found === "stopped" ? (
        <CodeBlock label="Start it again as before, with" text={commands.start} />
      ) : (
        <>
          It was started again. <Button onClick={() => location.reload()}>Load the page again</Button>
        </>
      )}
    </Notice>
  );
}

/** Asks the server again and again whether it is there. After another start it never is for this document. */
function useService() {
  useEffect(() => {
    let timer: number | undefined;
    const look = async (): Promise<void> => {
      await askAlive(AbortSignal.timeout(HANGS_AFTER_MS)).catch((error: unknown) => {
        if (!(error instanceof AskError)) noteService("stopped");
      });
      if (service.value !== "another start") timer = window.setTimeout(() => void look(), ASK_EVERY_MS);
    };
    void look();
    return () => window.clearTimeout(timer);
  }, []);
  return useLive(service);
}
