/** Ids of the rows in the settings that say which of the demo's records the store has. */
export const markerIds = { records: "demo#records", trades: "demo#trades" } as const;
