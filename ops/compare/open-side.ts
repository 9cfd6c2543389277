import { demoFilePath, readDemoFile } from "../../local/demo/demo-file.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { StartError } from "../../local/process/start-error.ts";
import { type Credentials, credentialsIn, noCredentials, readCredentials } from "./credentials.ts";
import { type SendLimits, sendMessage } from "./send-message.ts";
import { type Label, readAddress, Side } from "./side.ts";

/** What the command line says of a side. */
export interface SideGiven {
  readonly label: Label;
  readonly address: string;
  /** A file of credentials. */
  readonly file: string | undefined;
  /** The data directory of the local service. */
  readonly data: string;
  /** PEM of the authorities to trust in place of the system's. */
  readonly ca: string | undefined;
}

/**
 * A side with its credentials: those of its file; without one, those of the demo file that names the address.
 *
 * @throws {OperatorError} for an address or a file that cannot be used.
 */
export async function openSide({ label, address, file, data, ca }: SideGiven): Promise<Side> {
  const url = readAddress(address, `--${label}`);
  const credentials = file === undefined ? await demoCredentials(url, data) : await readCredentials(file);
  const side = new Side({ label, url, credentials, ...(ca !== undefined && { ca }) });
  await side.checkFiles();
  return side;
}

async function demoCredentials(url: URL, data: string): Promise<Credentials> {
  try {
    const demo = await readDemoFile(data);
    const isIts = demo.baseUrl !== undefined && placeOf(new URL(demo.baseUrl)) === placeOf(url);
    return isIts ? credentialsIn(demo, demoFilePath(data)) : noCredentials;
  } catch (error) {
    throw error instanceof StartError ? new OperatorError(error.message, error) : error;
  }
}

/** An address in one spelling. */
const placeOf = ({ origin, pathname }: URL): string =>
  `${origin.replace("//localhost", "//127.0.0.1")}${pathname.replace(/\/+$/, "")}`;

/**
 * Asks a side for a path that it does not have, to know that it can be reached.
 *
 * @throws {OperatorError} that says why not, and what to look at.
 */
export async function reachSide(side: Side, limits: SendLimits): Promise<void> {
  const target = `${side.basePath}/compare-unknown`;
  const seen = await sendMessage(side.destination, { target }, limits);
  if (limits.signal.aborted || seen.kind === "answer" || !seen.isUnreached) return;
  const advice = seen.why.includes("certificate")
    ? "Nothing was sent to it. If a private authority issued the certificate, name the authority with --ca."
    : "Check that it is running, that the address is right, and whether it is http:// or https://.";
  throw new OperatorError(`--${side.label} ${side.url.href} cannot be reached: ${seen.why}. ${advice}`);
}
