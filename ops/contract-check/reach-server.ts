import { OperatorError } from "../operator-error.ts";
import { NoAnswer } from "../wallet/http-exchange.ts";
import type { Wallet } from "../wallet/wallet.ts";

/** How the runtime and OpenSSL name what is wrong with a server's certificate, or with a handshake. */
const TLS_CODE = /CERT|SSL|TLS|EPROTO|UNABLE_TO|^CRL_|^HOSTNAME_MISMATCH$/;

/**
 * Sends one request, to know that there is a server that answers with HTTP at all, whatever it says.
 *
 * @throws {OperatorError} that says how the server could not be reached and what to look at.
 */
export async function reachServer(wallet: Wallet, reference: string): Promise<void> {
  const { origin } = wallet.urlOf(reference);
  try {
    await wallet.send({ reference });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new OperatorError(`${origin} ${adviceFor(error)}`, error);
  }
}

function adviceFor({ message, isSilent }: NoAnswer): string {
  if (isSilent) return `does not answer (${message}). Is it the right address, and does it get the request?`;
  if (/SELF_SIGNED|UNABLE_TO|CERT_(?:HAS_EXPIRED|NOT_YET)|ALTNAME/.test(message))
    return `has a certificate that is not trusted (${message}). Give its authority with --ca.`;
  if (TLS_CODE.test(message)) return `breaks the TLS handshake off (${message}). See --cert, --key and --ca.`;
  return `cannot be reached, or does not speak HTTP (${message}). Is it running, and the address right?`;
}
