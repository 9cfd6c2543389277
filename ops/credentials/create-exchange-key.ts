import { type Command, Option } from "commander";
import { exchangeCredentialOf, newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import { commands } from "../../local/installation.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { optionOf } from "../store/store-options.ts";
import { addIssueOptions, type IssueOptions, issueCredential, lifetimeOf } from "./issue-credential.ts";

const HELP = `
The client makes its own key pair and hands over only the public half:
  openssl genpkey -algorithm ed25519 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem
The file holds PEM, or the raw key in hex, Base64 or base64url. The API key names the public key. It is shown only once,
and only its SHA-256 is stored. All keys of an owner share one rate limit; without --owner, keys for the same public key
share an owner.

Example:
  ${commands.quietOps} keys create exchange --public-key public.pem --owner acme --expires 1y --json

Exit codes: 0 created, 2 not created.`;

interface Options extends IssueOptions {
  readonly publicKey: string;
  readonly owner?: string;
  readonly scopes: readonly string[];
}

const SHOWN_DIGITS = 12;

/** The scopes that a key can have: those of the endpoints that accept exchange keys. */
const SCOPES: readonly string[] = [listTrades.scope];

function parseScopes(text: string): readonly string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== "");
  if (scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope))) return [...new Set(scopes)];
  throw new RangeError(`The scopes of an exchange key are: ${SCOPES.join(", ")}.`);
}

async function create(options: Options): Promise<void> {
  const publicKey = await keyOfFile(options.publicKey, readRegistrableKey);
  const apiKey = newExchangeApiKey();
  const { createdAt: now, expiresAt } = lifetimeOf(options);
  const owner = options.owner ?? `client-${publicKey.slice(0, SHOWN_DIGITS)}`;
  const { scopes } = options;
  const credential = exchangeCredentialOf({ apiKey, publicKey, owner, scopes, now, expiresAt });
  if (!(await issueCredential("keys create exchange", { credential, apiKey }, options))) return;
  console.error(
    "Save the API key now: it is not stored and cannot be shown again. `ops sign` signs requests with it.",
  );
}

/** `keys create exchange`: registers a trading client's public key and issues the API key that names it. */
export function createExchangeKey(group: Command): void {
  addIssueOptions(
    group
      .command("exchange")
      .description("issue an API key to a trading client, for its Ed25519 public key")
      .requiredOption("--public-key <file>", "the client's public key")
      .option(
        "--owner <id>",
        "the owner of the rate limit that its requests count against",
        optionOf(parseOwnerId),
      )
      .addOption(
        new Option("--scopes <words>", "what the key may do")
          .argParser(optionOf(parseScopes))
          .default(SCOPES, SCOPES.join(" ")),
      ),
  )
    .addHelpText("after", HELP)
    .action(create);
}
