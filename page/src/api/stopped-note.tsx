import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Notice } from "../parts/notice.tsx";
import { AskError } from "./ask.ts";
import { look as askAlive } from "./faults.ts";
import { useSession } from "./session.tsx";

/** A stopped service is to be seen within two seconds. */
const ASK_EVERY_MS = 1_500;
/** A service that is only slow is not told of. */
const HANGS_AFTER_MS = 10_000;

type Service = "answers" | "stopped" | "another start";

/** Says on every screen that the service is gone, until it answers again. */
export function StoppedNote() {
  const { commands } = useSession();
  const service = useService();
  if (service === "answers") return null;
  return (
    <Notice
      tone={service === "stopped" ? "bad" : "info"}
      word={service === "stopped" ? "The service has stopped" : "The service is back"}
    >
      {service === "stopped" ? (
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
function useService(): Service {
  const [service, setService] = useState<Service>("answers");
  useEffect(() => {
    let timer: number | undefined;
    const look = async (): Promise<void> => {
      const found = await askAlive(AbortSignal.timeout(HANGS_AFTER_MS)).then(
        () => "answers" as const,
        stateOf,
      );
      setService(found);
      if (found !== "another start") timer = window.setTimeout(() => void look(), ASK_EVERY_MS);
    };
    void look();
    return () => window.clearTimeout(timer);
  }, []);
  return service;
}

/** A server that answers with a failure is there. */
function stateOf(error: unknown): Service {
  if (!(error instanceof AskError)) return "stopped";
  if (error.kind === "stale key") return "another start";
  return error.kind === "unreachable" ? "stopped" : "answers";
}
