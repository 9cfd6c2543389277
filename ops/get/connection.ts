import { sign } from "node:crypto";
import { decodeJwt } from "jose";
import {
  Countinghouse,
  type CountinghouseOptions,
  type RetryOptions,
  type Sign,
} from "../../client/src/index.ts";
import { systemClock } from "../../lib/clock.ts";
import { type DemoFile, demoFilePath, readDemoFile } from "../../local/demo/demo-file.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { StartError } from "../../local/process/start-error.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { readPrivateKey } from "../signing/read-private-key.ts";
import { environmentSecret } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { signDetached } from "../wallet/jws-signer.ts";
import { readSigningKey } from "../wallet/read-signing-key.ts";
import type { ConnectionOptions, InterfaceName } from "./connection-options.ts";
import { Recorder } from "./recorder.ts";

/** A client of one interface of a service. */
export interface Connection {
  readonly client: Countinghouse;
  readonly url: string;
  readonly recorder: Recorder;
  /** Whom the access token names, where there is one and it can be read. */
  readonly subject: string | undefined;
}

type Credentials = Pick<CountinghouseOptions, "business" | "exchange" | "passes" | "ramp">;

/**
 * Connects to the service that the options name: to `--url` with the credentials of files and of the environment, or
 * else to the laptop's with those of its demo file, which go nowhere else.
 *
 * @param retry when requests are repeated, if not as the client does by default.
 * @throws {OperatorError} when credentials are missing, or cannot be used.
 */
export async function connect(
  name: InterfaceName,
  options: ConnectionOptions,
  retry?: RetryOptions,
): Promise<Connection> {
  const demo = options.url === undefined ? await readDemo(options.data) : undefined;
  // A state and a manifest name the service, and a slash at the end makes no other one.
  const url = (options.url ?? demo?.baseUrl)?.replace(/\/+$/, "");
  if (url === undefined) throw noDemo(options.data);
  const credentials = await credentialsOf(name, options, demo);
  const recorder = new Recorder(name !== "exchange");
  const client = clientOf({
    ...credentials,
    baseUrl: url,
    timeoutMs: options.timeout * 1000,
    fetch: recorder.fetch,
    ...(retry !== undefined && { retry }),
    onWarning: ({ message }) => console.error(terminalText(message)),
  });
  return { client, url, recorder, subject: subjectOf(credentials) };
}

function clientOf(options: CountinghouseOptions): Countinghouse {
  try {
    return new Countinghouse(options);
  } catch (error) {
    if (error instanceof TypeError) throw new OperatorError(error.message.replace("baseUrl", "--url"), error);
    throw error;
  }
}

const noDemo = (data: string, cause?: unknown): OperatorError =>
  new OperatorError(
    `${demoFilePath(data)} names no service. Run \`${commands.start}\` once, give its directory with --data, or a service with --url.`,
    cause,
  );

async function readDemo(data: string): Promise<Partial<DemoFile>> {
  try {
    return await readDemoFile(data);
  } catch (error) {
    if (error instanceof StartError) throw new OperatorError(error.message, error);
    throw error;
  }
}

/** Credentials that the options give, with those of the demo in their place on the laptop. */
async function credentialsOf(
  name: InterfaceName,
  options: ConnectionOptions,
  demo: Partial<DemoFile> | undefined,
): Promise<Credentials> {
  const { data, headerPrefix } = options;
  if (name === "business") return { business: { accessToken: await tokenOf(name, options, demo?.business) } };
  if (name === "passes") return { passes: await passesOf(options, demo?.passes) };
  if (name === "ramp") return { ramp: { apiKey: await apiKeyOf(name, options, demo?.ramp) } };
  const file = options.privateKey ?? demo?.exchange?.privateKeyFile;
  const apiKey = await apiKeyOf(name, options, demo?.exchange);
  if (file === undefined) throw missing("the private key", "--private-key FILE", demo && data);
  const prefix = headerPrefix ?? demo?.exchange?.headerPrefix;
  return {
    exchange: { apiKey, sign: await signerOf(file), ...(prefix !== undefined && { headerPrefix: prefix }) },
  };
}

async function passesOf(
  options: ConnectionOptions,
  demo: DemoFile["passes"] | undefined,
): Promise<NonNullable<Credentials["passes"]>> {
  const { jwsKey, contractVersion: version } = options;
  const versionHeader = options.versionHeader ?? demo?.versionHeader;
  const words = {
    ...(version !== undefined && { serviceApiVersion: version }),
    ...(versionHeader !== undefined && { versionHeader }),
  };
  if (jwsKey === undefined) return { ...words, accessToken: await tokenOf("passes", options, demo) };
  const key = await readSigningKey(jwsKey);
  const signJws = ({ url }: { readonly url: URL }) => signDetached(key, url.pathname, systemClock);
  const token = options.tokenFile === undefined ? undefined : await oneLine(options.tokenFile);
  return { ...words, signJws, ...(token !== undefined && { accessToken: token }) };
}

async function signerOf(file: string): Promise<Sign> {
  const key = await keyOfFile(file, readPrivateKey);
  return (bytes) => new Uint8Array(sign(null, bytes, key));
}

async function tokenOf(
  name: "business" | "passes",
  { tokenFile, data }: ConnectionOptions,
  demo: { readonly token?: string } | undefined,
): Promise<string> {
  const variable = `COUNTINGHOUSE_${name.toUpperCase()}_TOKEN`;
  return await secretOf(
    { what: "an access token", option: "--token-file", file: tokenFile, variable, data },
    demo?.token,
  );
}

async function apiKeyOf(
  name: "exchange" | "ramp",
  { apiKeyFile, data }: ConnectionOptions,
  demo: { readonly apiKey?: string } | undefined,
): Promise<string> {
  const variable = `COUNTINGHOUSE_${name.toUpperCase()}_API_KEY`;
  return await secretOf(
    { what: "an API key", option: "--api-key-file", file: apiKeyFile, variable, data },
    demo?.apiKey,
  );
}

interface Secret {
  readonly what: string;
  readonly option: string;
  readonly file: string | undefined;
  readonly variable: string;
  readonly data: string;
}

/** A secret: of the file, or else of the laptop's demo, or else of the environment. */
async function secretOf(
  { what, option, file, variable, data }: Secret,
  demo: string | undefined,
): Promise<string> {
  const found = file === undefined ? (demo ?? environmentSecret(variable)) : await oneLine(file);
  if (found !== undefined) return found;
  throw new OperatorError(
    `This needs ${what}: give ${option} FILE, or set ${variable}. Without --url, ${demoFilePath(data)} has one.`,
  );
}

/** The one word in a file. @throws {OperatorError} that does not show it. */
async function oneLine(file: string): Promise<string> {
  const text = (await readGiven(file)).trim();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new OperatorError(`${nameOfGiven(file)} must hold one token or key and nothing else.`);
}

const missing = (what: string, option: string, data: string | undefined): OperatorError =>
  new OperatorError(`This needs ${what}: give ${option}.${data === undefined ? "" : ` ${data} has none.`}`);

/** Whom a token names. Downloads of two businesses must not be joined; a token of another form cannot be told apart. */
function subjectOf({ business }: Credentials): string | undefined {
  if (typeof business?.accessToken !== "string") return undefined;
  try {
    return decodeJwt(business.accessToken).sub;
  } catch {
    return undefined;
  }
}
