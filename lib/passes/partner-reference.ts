import { isId } from "../id.ts";

/** Whether a pass can have this reference at all. It is opaque: compared byte by byte, with no prefix taken off. */
export const isPartnerReference = isId;
