import * as z from "zod/mini";
import { whole } from "../../lib/setting-schemas.ts";

/**
 * Memory of a function in MB, unless a stage says otherwise. Lambda gives CPU in proportion to it. `npm run write -- cost`
 * compares it with other sizes.
 */
export const MEMORY_MB_DEFAULT = 1_024;

/** Memory of a function in MB, within Lambda's bounds. */
export const memorySchema = z._default(whole(128, 10_240), MEMORY_MB_DEFAULT);
