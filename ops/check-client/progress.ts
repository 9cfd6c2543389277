import { terminalText } from "../terminal/terminal-text.ts";
import type { ScriptedService } from "./scripted-service.ts";
import type { Visit } from "./visit.ts";

const TARGET_SHOWN_MAX = 38;

/** One line on a request: its number, the time since the start, what it asked for and what it got. */
export function visitLine(
  { number, arrivedMs, target, status, step, refusal }: Visit,
  startedMs: number,
): string {
  const asked =
    step?.trouble !== undefined && "waitMs" in step.trouble ? `, wait ${step.trouble.waitMs} ms` : "";
  const got =
    status === 0 ? "connection cut" : step?.trouble?.kind === "cut-body" ? `${status}, body cut` : status;
  const reason = refusal === undefined ? "" : ` ${refusal.code}`;
  const time = `+${((arrivedMs - startedMs) / 1_000).toFixed(3)}`;
  const shown = terminalText(
    target.length > TARGET_SHOWN_MAX ? `${target.slice(0, TARGET_SHOWN_MAX - 3)}...` : target,
  );
  return `${String(number).padStart(4)}  ${time.padStart(9)}  ${shown.padEnd(TARGET_SHOWN_MAX)}  ${got}${reason}${asked}`;
}

/** How to point a client at the service of the check, as lines for a shell. */
export function pointingHelp({ variables, issued }: ScriptedService): string {
  const lines = Object.entries(variables).map(([name, value]) => `  export ${name}='${value}'`);
  return [
    `Point your client at ${issued.file.baseUrl}. Its credentials, as in ${issued.path}:`,
    "",
    ...lines,
    "",
    "Each listing, record or poll that it begins is another scene: start it again",
    "when it ends. After a refusal wait three seconds, because an earlier request",
    "counts as a repetition. Ctrl-C ends the check and prints the report.",
  ].join("\n");
}
