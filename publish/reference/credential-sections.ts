import { contractBrand } from "../../lib/brand.ts";
import { defaultFreshness } from "../../lib/signature/settings.ts";

const { headerPrefix, versionHeader } = contractBrand;
const seconds = (milliseconds: number): string => `${milliseconds / 1000} seconds`;

const business = `### Business accounts

\`Authorization: Bearer …\` with an access token (JWT) of the issuer that the deployment trusts. Its \`sub\` names the business whose transactions
are read, its \`scope\` has \`transactions.read\`, and its \`aud\` is the audience that the operator gave
you for this interface. The issuer gives tokens and renews them; a token that has expired gets a \`401\`.`;

const exchange = `### Exchange

Every request is signed with an Ed25519 key whose public half the operator registered. The key has the scope \`trades.read\`.
Three headers go with each request:

| header | value |
| --- | --- |
| \`${headerPrefix}API-Key\` | the 64 letters and digits that the operator gave you for your public key |
| \`${headerPrefix}Timestamp\` | now, in Unix epoch milliseconds |
| \`${headerPrefix}Signature\` | the signature in standard Base64 with padding |

The signed text has four parts with nothing between them: the timestamp exactly as in the header; the method; the path that you request,
percent-decoded, with the base path; and the query byte for byte as it is sent, without its question mark.

\`\`\`
1795554000000GET/1.0/trades/all/BTC-USDlimit=10&start_date=1795467600000&end_date=1795554000000
\`\`\`

A timestamp may be ${seconds(defaultFreshness.ageMsMax)} old and ${seconds(defaultFreshness.aheadMsMax)} ahead, unless the deployment says otherwise. An older one gets a
\`401\`, one further ahead a \`409\`. Sign each repetition anew, because a signature ages with its timestamp. If your
clock differs from the \`timestamp\` in the body of a \`401\` by more than these seconds, set it: repeating does not help. Nothing separates path
and query in the signed text, so a query must begin with a lower-case letter; others get a \`401\`. [signing.md](signing.md) has a vector to check a client with.`;

const ramp = `### Ramp

\`X-API-KEY\` with the key that the operator gave the partner.`;

const passes = `### Wallet passes

Any one of three credentials, unless the deployment demands a combination: a client certificate on the domain for certificates, a
detached JWS in \`Jws-Signature\`, or \`Authorization: Bearer …\` with an access token whose \`scope\` has \`passes.read\`. [passes.md](passes.md) says how
to make each of them. \`${versionHeader}\` names the version of the contract in every request.`;

/** How a client proves itself on each interface. */
export const credentialSections: readonly string[] = ["## Credentials", business, passes, exchange, ramp];
