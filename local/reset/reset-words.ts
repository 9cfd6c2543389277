/** The words for a reset of the demo, on the page and on the command line, in lines of a terminal's width. */
export const resetWords = {
  goes: "Every record that is not the demo's is removed, imported ones too.",
  returns: `The demo's records and trades come back, with dates up to today. Rate limits are
full, every endpoint is switched on, and faults end. The time is the machine's again.`,
  stays: "Credentials stay: keys and tokens go on to work.",
  done: "The demo's records are back.",
} as const;
