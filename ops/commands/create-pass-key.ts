import type { Command } from "commander";
import { type Credential, jwsKeyId } from "../../lib/auth/credential.ts";
import { systemClock } from "../../lib/clock.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { commands } from "../../local/installation.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import {
  addIssueOptions,
  type IssueOptions,
  issueCredential,
  lifetimeOf,
} from "../credentials/issue-credential.ts";
import { readCertificate } from "../credentials/read-certificate.ts";
import { readPublicJwk } from "../credentials/read-jwk.ts";
import { optionOf } from "../store/store-options.ts";
import { OperatorError } from "../terminal/operator-error.ts";

/** The owner's id where only one wallet service polls. */
const OWNER_DEFAULT = "wallet";

const HELP = `
Registers a credential of the wallet service; nothing secret is read or stored. --jwk is the public key that verifies its
signatures, --certificate is its client certificate. Access tokens need no registration: their issuer is a setting of the
stage.
A certificate is accepted by its fingerprint or, with --by, by its issuer and one of its names, so that a renewed
certificate is accepted as well. The issuer is matched by its name alone: if the truststore holds more than one authority,
give the issuer's certificate with --issuer, and its key is checked too.
A certificate that is accepted by its fingerprint expires with itself, or earlier with --expires.
Credentials that are presented together must have the same owner; the owner of a token is its sub.
With --json, standard output is one JSON object: id, owner, createdAt, expiresAt.

Examples:
  ${commands.ops} keys create passes --jwk wallet-public.jwk.json
  ${commands.ops} keys create passes --certificate wallet.pem --by DNS:poller.wallet.example --issuer authority.pem

Exit codes: 0 created, 2 not created.`;

interface Options extends IssueOptions {
  readonly jwk?: string;
  readonly certificate?: string;
  readonly by?: string;
  readonly issuer?: string;
  readonly owner: string;
}

type Evidence = Pick<Credential, "id" | "kind" | "publicKey" | "expiresAt">;

async function readEvidence({ jwk, certificate, by, issuer }: Options): Promise<Evidence> {
  if (jwk !== undefined && by !== undefined)
    throw new OperatorError("--by is for certificates: a JWK is registered by its kid.");
  if (issuer !== undefined && (by ?? "fingerprint") === "fingerprint")
    throw new OperatorError(
      "--issuer goes with --by and a name: a certificate that is accepted by its fingerprint needs no issuer.",
    );
  if (jwk !== undefined && certificate === undefined) {
    const { kid, publicKey } = await readPublicJwk(jwk);
    return { id: jwsKeyId(kid), kind: "jws", publicKey };
  }
  if (certificate !== undefined && jwk === undefined)
    return readCertificate({ file: certificate, by: by ?? "fingerprint", issuerFile: issuer }, systemClock());
  throw new OperatorError("Give either --jwk or --certificate.");
}

async function create(options: Options): Promise<void> {
  const { expiresAt: ownEnd, ...evidence } = await readEvidence(options);
  const lifetime = lifetimeOf(options, ownEnd);
  const credential = { ...evidence, owner: options.owner, scopes: [getPass.scope], ...lifetime };
  await issueCredential({ credential }, options);
}

/** `keys create passes`: registers a public key or a certificate of the wallet service. */
export function createPassKey(group: Command): void {
  addIssueOptions(
    group
      .command("passes")
      .description("register a public key or a client certificate of the wallet service")
      .option("--jwk <file>", "a public key as JWK; - for standard input")
      .option("--certificate <file>", "a client certificate as PEM; - for standard input")
      .option(
        "--by <name>",
        "fingerprint (the default), subject, or a name that the certificate has, after DNS:, URI: or email:",
      )
      .option("--issuer <file>", "with --by: the issuer's certificate, to check its key too")
      .option(
        "--owner <id>",
        "the credential's owner: the sub of its tokens",
        optionOf(parseOwnerId),
        OWNER_DEFAULT,
      ),
  )
    .addHelpText("after", HELP)
    .action(create);
}
