import { randomBytes } from "node:crypto";

/** Bytes whose Base64 is 15 characters and one `=`. */
const ID_BYTES = 11;

/**
 * A new request id in the form that HTTP APIs use, such as `ATfSmjLgPHcESJw=`: padded Base64url. The event, the log
 * lines of function and gateway, and the header `apigw-requestid` all have the same id. None begins with a hyphen, so
 * that each can be given to a command, which would take it for an option.
 */
export function newGatewayRequestId(): string {
  const id = `${randomBytes(ID_BYTES).toString("base64url")}=`;
  return id.startsWith("-") ? newGatewayRequestId() : id;
}
