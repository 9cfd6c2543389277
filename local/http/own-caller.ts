import type { IncomingMessage } from "node:http";

/** The names of this machine, none of which can be a foreign domain. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/**
 * Whether a request comes from a program of this machine and cannot be one that a web page has sent: browsers name the
 * page in `Origin`, and a foreign name that was pointed at this machine shows in `Host`.
 */
export const isOwnCaller = ({ headers }: IncomingMessage): boolean =>
  headers.origin === undefined && OWN_HOST.test(headers.host ?? "");
