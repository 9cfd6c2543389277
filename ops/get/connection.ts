import { sign } from "node:crypto";
import { stat } from "node:fs/promises";
import { decodeJwt } from "jose";
import {
  type AccessToken,
  Countinghouse,
  type CountinghouseOptions,
  type Sign,
} from "../../client/src/index.ts";
import { brandEnv } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { type DemoFile, demoFilePath, readDemoFile } from "../../local/demo/demo-file.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { parserOf } from "../../local/terminal/option-parsers.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { type GivenOf, takes } from "../command.ts";
import { readPrivateKey } from "../signing/read-private-key.ts";
import { callersPath, dataTake, environmentSecret } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { exchange, type TlsFiles } from "../wallet/http-exchange.ts";
import { readSigningKey, signDetached } from "../wallet/jws-signer.ts";
import { readTls } from "../wallet/read-tls.ts";
import { parseSeconds } from "../wallet/wallet-options.ts";

/** The interfaces of the service, each with credentials of its own. */
export type InterfaceName = "business" | "exchange" | "passes" | "ramp";

const service = takes({
  "--data <directory>": dataTake(),
  "--url <address>": {
    text: "ask this service, by what stands before its routes, and not the laptop's",
    env: "COUNTINGHOUSE_URL",
  },
  "--timeout <seconds>": {
    text: "how long the service may take for one request",
    parse: parseSeconds,
    default: "30",
  },
});
const token = takes({
  "--token-file <file>":
    "with --url: a file with the access token, read for each request; - for standard input",
});
const apiKey = takes({
  "--api-key-file <file>": "with --url: a file with the API key; - for standard input",
});

/** What a command that asks an interface takes. */
export const connectionTakes = {
  business: takes({ ...service, ...token }),
  ramp: takes({ ...service, ...apiKey }),
  exchange: takes({
    ...service,
    ...apiKey,
    "--private-key <file>": "with --url: the Ed25519 private key, PEM",
    "--header-prefix <text>": {
      text: "the prefix of the signature's headers, if it is another one",
      parse: parserOf(brandEnv.HEADER_PREFIX),
    },
  }),
  passes: takes({
    ...service,
    ...token,
    "--jws-key <file>": "the private JWK that signs requests, in place of a token or beside it",
    "--cert <file>": "the client certificate, PEM, in place of a token or beside it",
    "--key <file>": "the certificate's private key, PEM",
    "--ca <file>": "the authority of the server's certificate, PEM, in place of the system's own",
    "--contract-version <date>": "the contract version to call with (default: the latest)",
    "--version-header <name>": {
      text: "the header that carries the version, if it is another one",
      parse: parserOf(brandEnv.VERSION_HEADER),
    },
  }),
};

type Given = GivenOf<(typeof connectionTakes)["exchange"] & (typeof connectionTakes)["passes"]>;

/** Which service is asked, and with which credentials. Secrets come only from files and the environment. */
export type ConnectionOptions = Pick<Given, "data" | "timeout"> & Partial<Given>;

/** Explains in a command's help where credentials come from. @param variables those of the command's interfaces. */
export const credentialsHelp = (...variables: readonly string[]): string => `
Without --url, the service is that of the last \`${commands.start}\`, with the credentials of demo.json in its data directory; they
are sent nowhere else. With --url, credentials come from files or from the environment (${variables.join(", ")}),
and never stand on the command line.`;

/** A client of one interface of a service. */
export interface Connection {
  readonly client: Countinghouse;
  readonly url: string;
  readonly recorder: Readonly<Pick<Recorder, "calls" | "body">>;
  /** Whom the access token names, where there is one and it can be read. */
  readonly subject: string | undefined;
}

type Credentials = Pick<CountinghouseOptions, "business" | "exchange" | "passes" | "ramp">;

/** What a command does in its own way. */
interface ConnectionManner extends Pick<CountinghouseOptions, "retry" | "sleep"> {
  /** Told of the status of each answer. */
  readonly onAnswer?: ((status: number) => void) | undefined;
}

/**
 * Connects to the service that the options name: to `--url` with the credentials of files and of the environment, or
 * else to the laptop's with those of its demo file, which go nowhere else.
 *
 * @throws {OperatorError} when credentials are missing, or cannot be used.
 */
export async function connect(
  name: InterfaceName,
  options: ConnectionOptions,
  { onAnswer, ...manner }: ConnectionManner = {},
): Promise<Connection> {
  const demo = options.url === undefined ? await readDemoFile(options.data) : undefined;
  // A state and a manifest name the service, and a slash at the end makes no other one.
  const url = (options.url ?? demo?.baseUrl)?.replace(/\/+$/, "");
  if (url === undefined)
    throw new OperatorError(
      `${demoFilePath(options.data)} names no service. Run \`${commands.start}\` once, give its directory with --data, or a service with --url.`,
    );
  const credentials = await credentialsOf(name, options, demo);
  const tls = await readTls(options);
  const send = Object.keys(tls).length === 0 ? fetch : fetchBy(tls, options.timeout * 1000);
  const recorder = new Recorder(name !== "exchange", send, onAnswer);
  const client = clientOf({
    ...credentials,
    baseUrl: url,
    timeoutMs: options.timeout * 1000,
    fetch: recorder.fetch,
    ...manner,
    onWarning: ({ message }) => console.error(terminalText(message)),
  });
  return { client, url, recorder, subject: await subjectOf(credentials) };
}

function clientOf(options: CountinghouseOptions): Countinghouse {
  try {
    return new Countinghouse(options);
  } catch (error) {
    if (error instanceof TypeError) throw new OperatorError(error.message.replace("baseUrl", "--url"), error);
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
  if (name === "business")
    return { business: { accessToken: await tokenOf(name, options, demo?.business?.token) } };
  if (name === "passes") return { passes: await passesOf(options, demo?.passes) };
  if (name === "ramp")
    return { ramp: { apiKey: await secretOf("API_KEY", name, options, demo?.ramp?.apiKey) } };
  const file = options.privateKey ?? demo?.exchange?.privateKeyFile;
  const apiKey = await secretOf("API_KEY", name, options, demo?.exchange?.apiKey);
  if (file === undefined)
    throw new OperatorError(
      `This needs the private key: give --private-key FILE.${demo === undefined ? "" : ` ${data} has none.`}`,
    );
  const prefix = headerPrefix ?? demo?.exchange?.headerPrefix;
  return {
    exchange: { apiKey, sign: await signerOf(file), ...(prefix !== undefined && { headerPrefix: prefix }) },
  };
}

async function passesOf(
  options: ConnectionOptions,
  demo: DemoFile["passes"] | undefined,
): Promise<NonNullable<Credentials["passes"]>> {
  const { jwsKey, cert, tokenFile, contractVersion: version } = options;
  const versionHeader = options.versionHeader ?? demo?.versionHeader;
  const needsToken = tokenFile !== undefined || (jwsKey === undefined && cert === undefined);
  return {
    ...(version !== undefined && { serviceApiVersion: version }),
    ...(versionHeader !== undefined && { versionHeader }),
    ...(needsToken && { accessToken: await tokenOf("passes", options, demo?.token) }),
    ...(jwsKey !== undefined && { signJws: await jwsSignerOf(jwsKey) }),
  };
}

async function jwsSignerOf(file: string) {
  const key = await readSigningKey(file);
  return ({ url }: { readonly url: URL }) => signDetached(key, url.pathname, systemClock);
}

async function signerOf(file: string): Promise<Sign> {
  const key = await keyOfFile(file, readPrivateKey);
  return (bytes) => new Uint8Array(sign(null, bytes, key));
}

const secrets = {
  TOKEN: { what: "an access token", option: "--token-file", name: "tokenFile" },
  API_KEY: { what: "an API key", option: "--api-key-file", name: "apiKeyFile" },
} as const;

/** A secret: of the file, or else of the laptop's demo, or else of the environment. */
async function secretOf(
  kind: keyof typeof secrets,
  of: InterfaceName,
  options: ConnectionOptions,
  demo: string | undefined,
): Promise<string> {
  const { what, option, name } = secrets[kind];
  const variable = `COUNTINGHOUSE_${of.toUpperCase()}_${kind}`;
  const file = options[name];
  const found = file === undefined ? (demo ?? environmentSecret(variable)) : await oneLine(file);
  if (found !== undefined) return found;
  throw new OperatorError(
    `This needs ${what}: give ${option} FILE, or set ${variable}. Without --url, ${demoFilePath(options.data)} has one.`,
  );
}

/**
 * A token, or what gives the present one: a token of a file ends and is replaced there while a command follows. Until the
 * file has another one of the same subject, the last one stays.
 */
async function tokenOf(
  of: InterfaceName,
  options: ConnectionOptions,
  demo: string | undefined,
): Promise<AccessToken> {
  const { tokenFile: file } = options;
  let last = await secretOf("TOKEN", of, options, demo);
  // Standard input and other pipes have their text once.
  if (file === undefined || file === "-" || !(await stat(callersPath(file))).isFile()) return last;
  return async () => {
    const present = await oneLine(file).catch(() => last);
    if (subjectIn(present) === subjectIn(last)) last = present;
    return last;
  };
}

/** The one word in a file. @throws {OperatorError} that does not show it. */
async function oneLine(file: string): Promise<string> {
  const text = (await readGiven(file)).trim();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new OperatorError(`${nameOfGiven(file)} must hold one token or key and nothing else.`);
}

/** Whom a token names. Downloads of two businesses must not be joined; a token of another form cannot be told apart. */
async function subjectOf({ business }: Credentials): Promise<string | undefined> {
  const token = business?.accessToken;
  return token === undefined ? undefined : subjectIn(typeof token === "string" ? token : await token());
}

function subjectIn(token: string): string | undefined {
  try {
    return decodeJwt(token).sub;
  } catch {
    return undefined;
  }
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` for the client that counts requests and can keep the text of the last answer, character by character. */
class Recorder {
  /** Requests so far, repetitions included. */
  calls = 0;
  /** The body of the last answer; empty unless bodies are kept. */
  body: Promise<string> = Promise.resolve("");
  readonly fetch: Fetch;

  constructor(keepsBodies: boolean, send: Fetch, onAnswer: ConnectionManner["onAnswer"]) {
    this.fetch = async (url, init) => {
      this.calls += 1;
      const response = await send(url, init);
      onAnswer?.(response.status);
      if (!keepsBodies) return response;
      this.body = response.clone().text();
      // An answer that breaks off is the client's to report.
      this.body.catch(() => {});
      return response;
    };
  }
}

/** A `fetch` that presents a certificate, and trusts an authority, which the platform's own cannot. */
const fetchBy =
  (tls: TlsFiles, timeoutMs: number): Fetch =>
  async (url, { headers, signal }) => {
    const sent = headers as Record<string, string>;
    const options = { timeoutMs, signal: signal ?? undefined };
    const { status, headers: received, bytes, isCut } = await exchange(new URL(url), sent, tls, options);
    if (isCut) throw new Error("the body is longer than a pass");
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(bytes), {
      status,
      headers: received,
    });
  };
