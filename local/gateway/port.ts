import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { ownMember } from "../../lib/own-member.ts";
import { StartError } from "../start-error.ts";

const PORT_MAX = 65_535;

/** The option by which another port is chosen. */
type PortOption = "--port" | "--tls-port";

/** Finds out early that a port is taken; and which one it is when any will do. Throws a `StartError` that says why. */
export async function claimPort(port: number, host: string, option: PortOption = "--port"): Promise<number> {
  const probe = createServer();
  probe.listen(port, host);
  await once(probe, "listening").catch((error: unknown) => refusePort(error, port, host, option));
  const { port: claimed } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return claimed;
}

/** From the port of HTTP to that of mutual TLS, where nobody asks for another one. */
const TLS_DISTANCE = 443;

/**
 * The port of mutual TLS: the one that was asked for, or else one at a fixed distance, so that it is the same in each
 * start. Nobody has to make room for a port that was not asked for: where it is taken it is any free one, and said.
 */
export async function claimTlsPort(
  { port, tlsPort, host }: { readonly port: number; readonly tlsPort?: number; readonly host: string },
  warn: (line: string) => void,
): Promise<number> {
  if (tlsPort !== undefined) return claimPort(tlsPort, host, "--tls-port");
  const wanted = port + TLS_DISTANCE;
  if (port === 0 || wanted > PORT_MAX) return claimPort(0, host, "--tls-port");
  try {
    return await claimPort(wanted, host, "--tls-port");
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const free = await claimPort(0, host, "--tls-port");
    warn(
      `Port ${wanted} is taken, so clients with certificates are answered at ${free}; --tls-port chooses one.`,
    );
    return free;
  }
}

/** Throws what became of an attempt to listen, as a `StartError` where the person who started it can mend it. */
export function refusePort(error: unknown, port: number, host: string, option: PortOption = "--port"): never {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken. Stop what uses it, or choose another with ${option}.`,
    EACCES: `Port ${port} needs rights that you do not have. Choose one from 1024 up with ${option}.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Choose another with --host.`,
    ENOTFOUND: `${host} is no address of this machine. Choose another with --host.`,
    EAI_AGAIN: `${host} is no address of this machine. Choose another with --host.`,
  };
  const reason = ownMember(reasons, (error as NodeJS.ErrnoException).code ?? "");
  throw reason === undefined ? error : new StartError(reason);
}

/** The host of a URL that reaches a listener; an address that means "all of them" is none that a client can call. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}
