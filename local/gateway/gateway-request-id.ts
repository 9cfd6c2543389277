import { randomBytes } from "node:crypto";

/** Bytes whose Base64 is 15 characters and one `=`. */
const ID_BYTES = 11;

/**
 * A new request id in the form that HTTP APIs use, such as `ATfSmjLgPHcESJw=`: padded Base64url. The event, the log
 * lines of function and gateway, and the header `apigw-requestid` all have the same id.
 */
export const newGatewayRequestId = (): string => `${randomBytes(ID_BYTES).toString("base64url")}=`;
