/** How `npm start` prints requests: as the functions' own JSON, or as a line for people. */
export const LOG_FORMATS = ["json", "lines"] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

/** The format that was asked for; by default lines on a terminal, and JSON for programs that read the log. */
export const logFormatOf = (asked: LogFormat | undefined, isTerminal: boolean): LogFormat =>
  asked ?? (isTerminal ? "lines" : "json");
