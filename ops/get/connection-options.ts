import { type Command, Option } from "commander";
import { brandEnv } from "../../lib/brand.ts";
import { commands } from "../../local/installation.ts";
import { parserOf } from "../../local/terminal/option-parsers.ts";
import { dataOption, optionOf } from "../store/store-options.ts";
import { parseSeconds } from "../wallet/wallet-options.ts";

/** The interfaces of the service, each with credentials of its own. */
export type InterfaceName = "business" | "exchange" | "passes" | "ramp";

/** Which service is asked, and with which credentials. Secrets come only from files and the environment. */
export interface ConnectionOptions {
  readonly data: string;
  readonly url?: string;
  /** Seconds that the service may take for one request. */
  readonly timeout: number;
  readonly tokenFile?: string;
  readonly apiKeyFile?: string;
  readonly privateKey?: string;
  readonly jwsKey?: string;
  readonly headerPrefix?: string;
  readonly contractVersion?: string;
  readonly versionHeader?: string;
}

const TIMEOUT_S = 30;

const token = () =>
  new Option("--token-file <file>", "with --url: a file with the access token; - for standard input");
const apiKey = () =>
  new Option("--api-key-file <file>", "with --url: a file with the API key; - for standard input");

const optionsOf: Readonly<Record<InterfaceName, () => readonly Option[]>> = {
  business: () => [token()],
  ramp: () => [apiKey()],
  exchange: () => [
    apiKey(),
    new Option("--private-key <file>", "with --url: the Ed25519 private key, PEM"),
    new Option(
      "--header-prefix <text>",
      "the prefix of the signature's headers, if it is another one",
    ).argParser(parserOf(brandEnv.HEADER_PREFIX)),
  ],
  passes: () => [
    token(),
    new Option("--jws-key <file>", "the private JWK that signs requests, in place of a token or beside it"),
    new Option("--contract-version <date>", "the contract version to call with (default: the latest)"),
    new Option(
      "--version-header <name>",
      "the header that carries the version, if it is another one",
    ).argParser(parserOf(brandEnv.VERSION_HEADER)),
  ],
};

/** Adds the options of {@link ConnectionOptions} that some interfaces take to a command. */
export function addConnectionOptions(command: Command, ...interfaces: readonly InterfaceName[]): Command {
  command
    .addOption(dataOption(`the data directory of the local store, as given to \`${commands.start}\``))
    .addOption(
      new Option(
        "--url <address>",
        "ask this service, by what stands before its routes, and not the laptop's",
      ).env("COUNTINGHOUSE_URL"),
    );
  const added = new Set<string>();
  for (const option of interfaces.flatMap((name) => optionsOf[name]())) {
    if (!added.has(option.flags)) command.addOption(option);
    added.add(option.flags);
  }
  return command.option(
    "--timeout <seconds>",
    "how long the service may take for one request",
    optionOf(parseSeconds),
    TIMEOUT_S,
  );
}

/** Explains in a command's help where credentials come from. @param variables those of the command's interfaces. */
export const credentialsHelp = (...variables: readonly string[]): string => `
Without --url, the service is that of the last \`${commands.start}\`, with the credentials of demo.json in its data directory; they
are sent nowhere else. With --url, credentials come from files or from the environment (${variables.join(", ")}),
and never stand on the command line.`;
