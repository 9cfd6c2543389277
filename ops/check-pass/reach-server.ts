import { getPass } from "../../lib/passes/contract.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { NoAnswer, type SeenResponse } from "../wallet/http-exchange.ts";
import { StillBusy, type Wallet } from "../wallet/wallet.ts";

/** The codes of Node.js and OpenSSL for a fault of a server's certificate or of a handshake. */
const TLS_CODE = /CERT|SSL|TLS|EPROTO|UNABLE_TO|^CRL_|^HOSTNAME_MISMATCH$/;
/** Their codes for bytes that are not TLS. A server that refuses a handshake may cause them as well. */
const PLAIN_CODE = /EPROTO|WRONG_VERSION|PACKET_LENGTH/;

/**
 * Asks for the pass once, to know that a server answers with HTTP, accepts the credential and has the pass. A refusal
 * or a 404 keeps the contract, but leaves nothing to judge the other rules by.
 *
 * @throws {OperatorError} that says why the server could not be reached, or what it refuses, and what to look at.
 */
export async function reachServer(wallet: Wallet, reference: string): Promise<void> {
  const { origin } = wallet.urlOf(reference);
  try {
    const complaint = complaintOf(await wallet.get({ reference }), wallet, reference);
    if (complaint !== undefined) throw new OperatorError(complaint);
  } catch (error) {
    // Each rule then reports that the server stayed busy.
    if (error instanceof StillBusy) return;
    if (!(error instanceof NoAnswer)) throw error;
    throw new OperatorError(`${origin} ${adviceFor(error)}`, error);
  }
}

/** Why nothing can be checked after this answer to the first request; undefined when the rules can be judged. */
function complaintOf({ status }: SeenResponse, wallet: Wallet, reference: string): string | undefined {
  if (status === 404 || status === 410)
    return `The server has no pass at ${wallet.urlOf(reference).href} (${status}): nothing could be checked. Name a pass that it has with --reference.`;
  if (status !== 401 && status !== 403) return undefined;
  const { token, signingKey, tls } = wallet.credentials;
  const given = [token, signingKey, tls.cert].filter((credential) => credential !== undefined).length;
  if (given === 0)
    return `The server asks for a credential (${status}): nothing could be checked. Give one with --token-file, --jws-key, or --cert and --key.`;
  const refused = `The server refuses ${given === 1 ? "this credential" : "these credentials"} (${status}): nothing could be checked.`;
  return status === 401 ? refused : `${refused} The server must accept it, with the scope ${getPass.scope}.`;
}

function adviceFor({ message, isSilent }: NoAnswer): string {
  if (isSilent)
    return `does not answer (${message}). Check the address, and whether the server gets the request.`;
  if (message.startsWith("101 "))
    return `gives no answer (${message}). It must speak HTTP/1.1 on this address.`;
  if (/SELF_SIGNED|UNABLE_TO|CERT_(?:HAS_EXPIRED|NOT_YET)|ALTNAME/.test(message))
    return `has a certificate that is not trusted (${message}). Give its authority with --ca.`;
  if (PLAIN_CODE.test(message))
    return `breaks off the TLS handshake (${message}). It probably speaks plain http://. If not, check --cert, --key and --ca.`;
  if (TLS_CODE.test(message))
    return `breaks off the TLS handshake (${message}). Check --cert, --key and --ca.`;
  return `cannot be reached, or does not speak HTTP (${message}). Check that it is running, that the address is right, and whether it speaks http:// or https://.`;
}
