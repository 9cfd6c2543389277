/** Known types of pass; a pass of another type is served like them. */
export const knownPassTypes = ["boarding_pass", "event_pass", "loyalty_pass"] as const;
