import type { LocalAuthority } from "../identity/local-authority.ts";
import { createGateway, type Desk, type Gateway, type GatewayOptions, type MutualTls } from "./gateway.ts";
import { type ClaimedPort, type PortOption, refusePort } from "./port.ts";

/** The address and the claimed ports of a service. */
export interface Place {
  readonly host: string;
  readonly plain: ClaimedPort;
  /** For clients with certificates. */
  readonly secure: ClaimedPort;
  /** Answers for the page, over HTTP alone. */
  readonly desk: Desk | undefined;
}

/** The ports of a service that answers. */
export interface Ports {
  readonly plain: number;
  readonly secure: number;
}

/**
 * Answers requests on both ports, or on any free one for 0, until `running` ends. Throws a `StartError` for a port that another program has taken
 * meanwhile.
 */
export async function openGateways(
  parts: GatewayOptions,
  tls: MutualTls,
  place: Place,
  running: AsyncDisposableStack,
): Promise<Ports> {
  const { desk } = place;
  const plain = createGateway({ ...parts, ...(desk !== undefined && { desk }) });
  const secure = createGateway(parts, tls);
  // Both close at the same time, so that neither takes a new request while the other finishes its answers.
  running.defer(async () => void (await Promise.all([plain.close(), secure.close()])));
  return {
    plain: await listen(plain, place.plain, place.host, "--port"),
    secure: await listen(secure, place.secure, place.host, "--tls-port"),
  };
}

async function listen(
  gateway: Gateway,
  { port, release }: ClaimedPort,
  host: string,
  option: PortOption,
): Promise<number> {
  await release();
  return gateway.listen(port, host).catch((error: unknown) => refusePort(error, port, host, option));
}

/** The local authority issues the gateway's certificate, and is the only authority whose clients the gateway admits. */
export async function mutualTlsOf(
  authority: Pick<LocalAuthority, "certificate" | "keepForServer">,
  host: string,
): Promise<MutualTls> {
  const { certificate, key } = await authority.keepForServer(host);
  return { cert: certificate, key, ca: authority.certificate };
}
