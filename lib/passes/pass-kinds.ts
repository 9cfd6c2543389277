/** Types of pass that are known; a pass of another type is served like them. */
export const knownPassTypes = ["boarding_pass", "event_pass", "loyalty_pass"] as const;
