import { once } from "node:events";
import { type AddressInfo, createServer, isIPv4, isIPv6 } from "node:net";
import { ownMember } from "../../lib/own-member.ts";
import { commands } from "../installation.ts";
import { StartError } from "../process/start-error.ts";

const PORT_MAX = 65_535;

/** The option that chooses another port. */
export type PortOption = "--port" | "--tls-port" | "--queue-port";

/** A port that can be listened on. */
export interface ClaimedPort {
  readonly port: number;
  /** Frees the port for its listener. A second call changes nothing. */
  readonly release: () => Promise<void>;
}

/**
 * Checks early that a port can be used, and picks a free one for 0. A picked port is held until it is released, so that no
 * other program gets it meanwhile. A given port is free again at once: held, it would take connections, and a script that
 * waits for the service would take it for ready. Throws a `StartError` that says why a port cannot be used.
 */
export async function claimPort(
  port: number,
  host: string,
  option: PortOption = "--port",
): Promise<ClaimedPort> {
  const holder = createServer((socket) => socket.destroy());
  holder.listen(port, host);
  const beside = option === "--port" ? BESIDE : "";
  await once(holder, "listening").catch((error: unknown) => refusePort(error, port, host, option, beside));
  const { port: claimed } = holder.address() as AddressInfo;
  const release = async (): Promise<void> => {
    if (holder.listening) await once(holder.close(), "close");
  };
  if (port !== 0) await release();
  return { port: claimed, release };
}

/** A port beside that of HTTP: the option that chooses it, its distance by default, and what it serves. */
interface SidePort {
  readonly option: PortOption;
  readonly distance: number;
  readonly served: string;
}

const TLS: SidePort = { option: "--tls-port", distance: 443, served: "clients with certificates are served" };
const QUEUES: SidePort = { option: "--queue-port", distance: 324, served: "the queues are served" };

const BESIDE = ` The ports ${QUEUES.distance} and ${TLS.distance} above it serve the queues and clients with certificates.`;

/** The given ports, and the address to listen on. */
interface GivenPorts {
  readonly port: number;
  readonly tlsPort?: number;
  readonly queuePort?: number;
  readonly host: string;
}

/** The port of mutual TLS: 443 above that of HTTP, unless it was given. */
export const claimTlsPort = (given: GivenPorts, warn: (line: string) => void): Promise<ClaimedPort> =>
  claimBeside(TLS, given.tlsPort, given, warn);

/** The port of the queues: 324 above that of HTTP, unless it was given. */
export const claimQueuePort = (given: GivenPorts, warn: (line: string) => void): Promise<ClaimedPort> =>
  claimBeside(QUEUES, given.queuePort, given, warn);

/**
 * The requested port, or by default one at a fixed distance, which is the same at each start. When the default is taken,
 * any free port is used with a warning, because the user did not ask for the default.
 */
async function claimBeside(
  { option, distance, served }: SidePort,
  requested: number | undefined,
  { port, host }: GivenPorts,
  warn: (line: string) => void,
): Promise<ClaimedPort> {
  if (requested !== undefined) return claimPort(requested, host, option);
  const wanted = port + distance;
  if (port === 0 || wanted > PORT_MAX) return claimPort(0, host, option);
  try {
    return await claimPort(wanted, host, option);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const free = await claimPort(0, host, option);
    warn(
      `Port ${wanted}, ${distance} above --port, is taken, so ${served} on port ${free.port}. Choose another with ${option}.`,
    );
    return free;
  }
}

/**
 * Throws the error of an attempt to listen, as a `StartError` when the user can fix its cause.
 *
 * @param beside what is said of the other ports of a service that would be on a taken one.
 */
export function refusePort(
  error: unknown,
  port: number,
  host: string,
  option: PortOption = "--port",
  beside = "",
): never {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken. Stop the program that uses it, or choose another port with ${option}, 0 for any free one.${beside}`,
    EACCES: `Port ${port} needs privileges that you do not have. Choose a port of 1024 or above with ${option}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with --host.`,
    ENOTFOUND: `${host} is not an address of this machine. Choose another with --host.`,
    EAI_AGAIN: `${host} is not an address of this machine. Choose another with --host.`,
  };
  const reason = ownMember(reasons, (error as NodeJS.ErrnoException).code ?? "");
  throw reason === undefined ? error : new StartError(reason);
}

/** The host of URLs that reach a listener: `127.0.0.1` for a wildcard address, which a client cannot call. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}

/** What is known of a start when it listens. */
interface Listening {
  readonly host: string;
  readonly hasPage: boolean;
}

/** Tells a user who listens beyond this machine what the page offers there; nothing otherwise. */
export const exposureWarnings = ({ host, hasPage }: Listening): readonly string[] =>
  !hasPage || isLoopback(host)
    ? []
    : [
        `Everybody who reaches ${host} can open the page, which has the demo's keys and switches faults on. ${commands.startWith} --no-page leaves it out.`,
      ];

/** Whether only programs of this machine reach an address that is listened on. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
