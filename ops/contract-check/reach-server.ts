import { getPass } from "../../lib/passes/contract.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { NoAnswer, type SeenResponse } from "../wallet/http-exchange.ts";
import { StillBusy, type Wallet } from "../wallet/wallet.ts";

/** How the runtime and OpenSSL name what is wrong with a server's certificate, or with a handshake. */
const TLS_CODE = /CERT|SSL|TLS|EPROTO|UNABLE_TO|^CRL_|^HOSTNAME_MISMATCH$/;
/** How they name bytes that are no TLS, though a server that refuses a handshake may end it so as well. */
const PLAIN_CODE = /EPROTO|WRONG_VERSION|PACKET_LENGTH/;

/**
 * Asks for the pass, to know that there is a server that answers with HTTP at all, and that it knows the credential and
 * the pass: where it does not, the contract wants just that answer, and no rule says anything of the server.
 *
 * @throws {OperatorError} that says how the server could not be reached, or what it refuses, and what to look at.
 */
export async function reachServer(wallet: Wallet, reference: string): Promise<void> {
  const { origin } = wallet.urlOf(reference);
  try {
    const complaint = complaintOf(await wallet.get({ reference }), wallet, reference);
    if (complaint !== undefined) throw new OperatorError(complaint);
  } catch (error) {
    // The rules then say what they waited for.
    if (error instanceof StillBusy) return;
    if (!(error instanceof NoAnswer)) throw error;
    throw new OperatorError(`${origin} ${adviceFor(error)}`, error);
  }
}

/** Why nothing can be checked by the answer to the first request; undefined when it says something of the contract. */
function complaintOf({ status }: SeenResponse, wallet: Wallet, reference: string): string | undefined {
  if (status === 404 || status === 410)
    return `The server has no pass at ${wallet.urlOf(reference).href} (${status}): nothing could be checked. Name one that it has with --reference.`;
  if (status !== 401 && status !== 403) return undefined;
  const { token, signingKey, tls } = wallet.credentials;
  const given = [token, signingKey, tls.cert].filter((credential) => credential !== undefined).length;
  if (given === 0)
    return `The server asks for a credential (${status}): nothing could be checked. Give one with --token-file, --jws-key, or --cert and --key.`;
  const refused = `The server refuses ${given === 1 ? "this credential" : "these credentials"} (${status}): nothing could be checked.`;
  return status === 401 ? refused : `${refused} It has to be let in, with the scope ${getPass.scope}.`;
}

function adviceFor({ message, isSilent }: NoAnswer): string {
  if (isSilent) return `does not answer (${message}). Is it the right address, and does it get the request?`;
  if (message.startsWith("101 "))
    return `gives no answer (${message}). It has to speak HTTP/1.1 on this address.`;
  if (/SELF_SIGNED|UNABLE_TO|CERT_(?:HAS_EXPIRED|NOT_YET)|ALTNAME/.test(message))
    return `has a certificate that is not trusted (${message}). Give its authority with --ca.`;
  if (PLAIN_CODE.test(message))
    return `breaks the TLS handshake off (${message}). Most often it speaks plain http://; else see --cert, --key and --ca.`;
  if (TLS_CODE.test(message)) return `breaks the TLS handshake off (${message}). See --cert, --key and --ca.`;
  return `cannot be reached, or does not speak HTTP (${message}). Is it running, the address right, and http:// or https:// what it speaks?`;
}
