import { isId } from "../id.ts";

/** Whether a text can be the reference of a pass. References are opaque: compared byte by byte, without any parsing. */
export const isPartnerReference = isId;
