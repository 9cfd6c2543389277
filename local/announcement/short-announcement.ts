import { demoFilePath } from "../demo/demo-file.ts";
import { commands, places } from "../installation.ts";
import { describeBehaviour } from "../store/store-behaviour.ts";
import { shQuoted } from "../terminal/sh-quoted.ts";
import { powershellQuoted, type ShellName } from "../terminal/shell.ts";
import { type Announced, type AnnouncedOptions, originLines, pageLines, queueLines } from "./announcement.ts";

export interface ShortAnnouncementParts {
  /** The shell of the terminal. */
  readonly shell: Exclude<ShellName, "cmd">;
  /** The data directory that `npm run ops` works on unless told another. */
  readonly defaultDataDir: string;
}

/**
 * The text that `npm start` prints on a terminal once requests are answered: the address, and commands that show the
 * rest. It has no credential: the curl line reads the demo's file when it is run. What options asked for is repeated,
 * and warnings come last.
 */
export function shortAnnouncement(
  { demo, queues, warnings }: Announced,
  { corsOrigins, dataDir, behaviour, hasPage }: AnnouncedOptions,
  { shell, defaultDataDir }: ShortAnnouncementParts,
): string {
  const [quoted, curl] = SHELLS[shell];
  const data = dataDir === defaultDataDir ? "" : ` --data ${quoted(dataDir)}`;
  const order = `${demo.baseUrl}/sell-orders/${encodeURIComponent(demo.ramp.orderId)}`;
  return [
    `countinghouse answers at ${demo.baseUrl}`,
    ...pageLines(hasPage),
    "",
    "In another terminal:",
    `  ${curl(demoFilePath(dataDir))} ${quoted(order)}`,
    "",
    "A curl line for each endpoint and credential:",
    `  ${commands.ops} demo curl${data}`,
    "How this machine differs from AWS:",
    `  ${commands.startWith} --about${data}`,
    `Reference: ${places.shownDocuments}/reference.md, and for programs ${demo.baseUrl}/openapi.json`,
    ...queueLines(queues),
    ...originLines(corsOrigins),
    ...describeBehaviour(behaviour),
    "",
    ...warnings.flatMap((warning) => [`Warning: ${warning}`, ""]),
    "Ctrl-C stops it.",
  ].join("\n");
}

type Quoted = (text: string) => string;

/** For each shell: how it quotes a word, and the curl command that reads the partner's key from the demo's file. */
const SHELLS: Readonly<
  Record<ShortAnnouncementParts["shell"], readonly [quoted: Quoted, curl: (file: string) => string]>
> = {
  sh: [shQuoted, (file) => `curl -sS -H "X-API-KEY: $(node -p ${shQuoted(keyScript(file))})"`],
  powershell: [
    powershellQuoted,
    (file) =>
      `curl.exe -sS -H ('X-API-KEY: ' + (Get-Content -Raw -LiteralPath ${powershellQuoted(file)} | ConvertFrom-Json).ramp.apiKey)`,
  ],
};

const keyScript = (file: string): string => `require(${JSON.stringify(file)}).ramp.apiKey`;
