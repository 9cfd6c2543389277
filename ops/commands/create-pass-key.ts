import type { Command } from "commander";
import { type Credential, jwsKeyId } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { systemClock } from "../../lib/clock.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { OperatorError } from "../operator-error.ts";
import { parseExpiry } from "../parse-expiry.ts";
import { parseOwnerId } from "../parse-owner-id.ts";
import { readCertificate } from "../pass-keys/read-certificate.ts";
import { readPublicJwk } from "../pass-keys/read-jwk.ts";
import { withStore } from "../store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store-options.ts";
import { instantText } from "../write-table.ts";

/** The wallet service, where there is only one that polls. */
const OWNER_DEFAULT = "wallet";

const HELP = `
Registers what the wallet service proves itself with; nothing secret is read or stored. --jwk is the public key that
its signatures are verified with, --certificate its client certificate. A certificate is let in by itself or, with
--by, by its issuer and one of its names, so that a renewed one is let in as well. Access tokens need no registration:
their issuer is a setting of the stage. Credentials that are presented together must name one owner, which for a token
is its sub. With --json, standard output is one JSON object: id, owner, createdAt, expiresAt.

Examples:
  npm run ops -- keys create passes --jwk wallet-public.jwk.json
  npm run ops -- keys create passes --certificate wallet.pem --by DNS:poller.wallet.example --expires 1y

Exit codes: 0 created, 2 not created.`;

interface Options extends StoreOptions {
  readonly jwk?: string;
  readonly certificate?: string;
  readonly by?: string;
  readonly owner: string;
  readonly expires?: number;
  readonly json?: true;
}

type Evidence = Pick<Credential, "id" | "kind" | "publicKey">;

async function readEvidence({ jwk, certificate, by }: Options): Promise<Evidence> {
  if (jwk !== undefined && by !== undefined)
    throw new OperatorError("--by is for certificates: a JWK is registered by its kid.");
  if (jwk !== undefined && certificate === undefined) {
    const { kid, publicKey } = await readPublicJwk(jwk);
    return { id: jwsKeyId(kid), kind: "jws", publicKey };
  }
  if (certificate !== undefined && jwk === undefined)
    return readCertificate(certificate, by ?? "fingerprint", systemClock());
  throw new OperatorError("Give either --jwk or --certificate.");
}

function print({ id, owner, createdAt, expiresAt }: Credential, asJson: boolean): void {
  const expires = expiresAt === undefined ? null : instantText(expiresAt);
  if (asJson)
    console.log(JSON.stringify({ id, owner, createdAt: instantText(createdAt), expiresAt: expires }));
  else console.log(`id       ${id}\nowner    ${owner}\nexpires  ${expires ?? "never"}`);
}

async function create(options: Options): Promise<void> {
  const credential: Credential = {
    ...(await readEvidence(options)),
    owner: options.owner,
    scopes: [getPass.scope],
    createdAt: systemClock(),
    ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
  };
  await withStore(options, async ({ client, tableName }) => {
    const added = await new CredentialRegister(client, tableName("Credentials")).add(credential);
    if (added) return;
    throw new OperatorError(
      `${credential.id} is registered already, revoked ones included. \`keys list\` shows it.`,
    );
  });
  print(credential, options.json === true);
}

/** `keys create passes`: registers a public key or a certificate of the wallet service. */
export function createPassKey(group: Command): void {
  addStoreOptions(
    group
      .command("passes")
      .description("register a public key or a client certificate of the wallet service")
      .option("--jwk <file>", "a public key as JWK; - for standard input")
      .option("--certificate <file>", "a client certificate as PEM; - for standard input")
      .option(
        "--by <name>",
        "fingerprint (unless given), subject, or DNS:, URI: or email: with a name it has",
      )
      .option("--owner <id>", "whom it proves; the sub of its tokens", optionOf(parseOwnerId), OWNER_DEFAULT)
      .option(
        "--expires <when>",
        "from when it no longer works; never, unless given",
        optionOf((text) => parseExpiry(text, systemClock())),
      )
      .option("--json", "print one JSON object, for programs"),
  )
    .addHelpText("after", HELP)
    .action(create);
}
