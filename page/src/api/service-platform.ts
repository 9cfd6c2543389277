import { type Platform, thisPlatform } from "../../../client/src/platform.ts";
import { LiveState } from "../live-state.ts";

/** How many milliseconds the service's time is ahead of the machine's, as the service tells all the time. */
export const aheadMs = new LiveState(0);

/** This browser in the time of the service, by which requests are signed and lists are read. */
export const servicePlatform: Platform = { ...thisPlatform, now: () => thisPlatform.now() + aheadMs.value };
