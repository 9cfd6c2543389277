import { type Command, Option } from "commander";
import { isExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { systemClock } from "../../lib/clock.ts";
import { ownMember } from "../../lib/own-member.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { curlLine, curlOptions } from "../../local/signing/curl-line.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { stageBrand } from "../store/store.ts";
import { addStoreOptions, brandOption, optionOf } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { printExplanation } from "./print-explanation.ts";
import { readPrivateKey } from "./read-private-key.ts";
import type { SignOptions } from "./sign-options.ts";
import { exampleSigned, signShape } from "./sign-shape.ts";
import { requireSignableUrl } from "./url-to-sign.ts";

const HELP = `
Prints the three headers of a signed request; with --curl, a whole curl command; with --curl-options, the headers as
options for the $(…) of a curl command. A signature is valid for 30 seconds. The path is signed as it stands in the URL:
give the URL that clients call, with the base path if there is one.

With --explain, nothing is signed. Give a request that was refused, with the headers that were sent, to learn what was
wrong with it. The registered public key is looked up in the store by the request's API key, or taken from --public-key.
Give the client's --private-key too, if you have it, to learn whether it belongs to the registered key. --judged-at is the
timestamp in the server's answer; without it, the request is judged as if it had just arrived.

With --stage, the header prefix and the base path are the stage file's. Without it, the first of these counts:
--header-prefix and --base-path, HEADER_PREFIX and BASE_PATH in the environment, the last \`${commands.start}\` on the directory
of --data.

Examples:
  ${commands.quietOps} sign GET 'http://127.0.0.1:3000/1.0/trades/all/BTC-USD?limit=10' \\
    --api-key KEY --private-key private.pem --curl
  ${commands.quietOps} sign GET 'https://api.example/1.0/trades/all/BTC-USD' --explain \\
    -H 'X-…-API-Key: …' -H 'X-…-Timestamp: …' -H 'X-…-Signature: …' --judged-at 1795554000000

Exit codes: 0 signed, or no fault found in the request; 1 a fault found; 2 neither signed nor explained.`;

function parseHeader(
  line: string,
  before: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const colon = line.indexOf(":");
  if (colon < 1) throw new RangeError('Give a header as "Name: value".');
  const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  const given = ownMember(before, name);
  return { ...before, [name]: given === undefined ? value : `${given},${value}` };
}

function parseInstant(text: string): number {
  if (/^\d{13}$/.test(text)) return Number(text);
  throw new RangeError("Give epoch milliseconds, 13 digits.");
}

async function sign(method: string, url: string, options: SignOptions): Promise<void> {
  if (options.explain === true) return printExplanation(method, url, options);
  const { apiKey, privateKey: file } = options;
  if (apiKey === undefined || file === undefined)
    throw new OperatorError(
      "Give --api-key, which `keys create exchange` printed, and --private-key, the file of the private key.",
    );
  if (!isExchangeApiKey(apiKey)) throw new OperatorError("The API key is not 64 letters and digits.");
  requireSignableUrl(url);
  const privateKey = await keyOfFile(file, readPrivateKey);
  const verb = method.toUpperCase();
  const headerPrefix = options.headerPrefix ?? (await stageBrand(options)).headerPrefix;
  const headers = signRequest(
    { method: verb, url, now: options.signedAt ?? systemClock() },
    { apiKey, privateKey },
    headerPrefix,
  );
  if (options.json === true)
    printJson(signShape, { method: verb, url, headers, curl: curlLine(verb, url, headers) });
  else if (options.curl === true) console.log(curlLine(verb, url, headers));
  else if (options.curlOptions === true) console.log(curlOptions(headers));
  else for (const [name, value] of Object.entries(headers)) console.log(`${name}: ${value}`);
}

/** `sign`: signs a request of the exchange, or explains what was wrong with one. */
export function signOrExplain(group: Command): void {
  const headerOf = (line: string, before: Readonly<Record<string, string>>) =>
    optionOf((text) => parseHeader(text, before))(line);
  const command = addStoreOptions(
    group
      .command("sign <method> <url>")
      .description("sign a request of the exchange, or explain why one was refused")
      .option("--api-key <key>", "the API key to sign for")
      .option("--private-key <file>", "the Ed25519 private key, PEM")
      .option("--curl", "print a whole curl command")
      .option("--curl-options", "print the headers as options, for the $(…) of a curl command")
      .option(
        "--signed-at <ms>",
        "sign for this instant instead of now, in epoch milliseconds",
        optionOf(parseInstant),
      )
      .option("--explain", "say what was wrong with a request that was refused")
      .addOption(
        new Option(
          "-H, --header <line>",
          "with --explain: a header that was sent; repeat the option for each",
        )
          .argParser(headerOf)
          .default({}, "none"),
      )
      .option("--body", "with --explain: the request had a body")
      .option("--public-key <file>", "with --explain: the registered public key, instead of the store's")
      .option(
        "--judged-at <ms>",
        "with --explain: the timestamp of the server's answer",
        optionOf(parseInstant),
      )
      .addOption(brandOption("--header-prefix <text>", "the prefix of the headers' names", "HEADER_PREFIX"))
      .addOption(brandOption("--base-path <path>", "with --explain: where clients see the API", "BASE_PATH")),
  );
  addJsonOption(command, signShape, exampleSigned).addHelpText("after", HELP).action(sign);
}
