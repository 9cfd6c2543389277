import { isIP } from "node:net";

/** Endings of names that no public registry gives out (RFC 6761, RFC 6762, RFC 9476 and ICANN's `internal`). */
const LOCAL_ENDINGS = [".localhost", ".local", ".internal", ".test"] as const;

/** Whether a `Host` names this machine, or a machine of a private network. */
export type HostRule = (host: string) => boolean;

/**
 * Judges the `Host` of requests. A web page may point a name of its own domain at this machine (DNS rebinding) and then
 * counts as of the same origin. Such a name is public, so it has a dot and an ending that registries give out. Names
 * that cannot be public, addresses and `allowed` names are this machine's.
 */
export function hostRule(allowed: readonly string[]): HostRule {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  return (host) => {
    const name = nameOf(host);
    return (
      !name.includes(".") ||
      isIP(name) !== 0 ||
      LOCAL_ENDINGS.some((ending) => name.endsWith(ending)) ||
      names.has(name)
    );
  };
}

/** A host without its port, the brackets of an IPv6 address and the dot of a rooted name, in lower case. */
const nameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
