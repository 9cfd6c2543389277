import { randomBytes } from "node:crypto";

/** Bytes whose Base64 is 15 characters and one `=`. */
const ID_BYTES = 11;

/**
 * A new id for a request, in the form that HTTP APIs give theirs: `ATfSmjLgPHcESJw=`, in the alphabet of Base64url. One
 * id stands in the event, in the function's log line, in the gateway's own and in the header `apigw-requestid`.
 */
export const newGatewayRequestId = (): string => `${randomBytes(ID_BYTES).toString("base64url")}=`;
