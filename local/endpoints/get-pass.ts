import { contractBrand } from "../../lib/brand.ts";
import { getPass, passContractVersions } from "../../lib/passes/contract.ts";
import type { DemoFile, PassesSection } from "../demo/demo-file.ts";
import type { Word } from "../terminal/shell.ts";
import { type CurlRequest, codesOfEvery, describeEndpoint, header } from "./endpoint-reference.ts";
import { passRecord } from "./records/pass.ts";

/** A request for each credential. */
function curl({ baseUrl, passes }: DemoFile): readonly CurlRequest[] {
  const { mtls, versionHeader, version, token, partnerReference } = passes;
  // A colon stands as it is: what is signed is the path that the gateway has decoded.
  const route = `/passes/${encodeURIComponent(partnerReference).replaceAll("%3A", ":")}`;
  const contractVersion = header(`${versionHeader}: ${version}`);
  const url = `${baseUrl}${route}`;
  const certificate = ["--cacert", mtls.ca, "--cert", mtls.cert, "--key", mtls.key];
  const jws = detachedJws(new URL(url).pathname, passes);
  return [
    {
      credential: "access token",
      url,
      options: [...contractVersion, ...header(`Authorization: Bearer ${token}`)],
    },
    { credential: "detached JWS", url, options: [...contractVersion, "-H", jws] },
    {
      credential: "mutual TLS",
      url: `${mtls.url}${route}`,
      options: [...certificate, ...contractVersion],
    },
  ];
}

/** A signature is good for five minutes, so the line makes a new one each time it is run. */
const detachedJws = (pathname: string, { jws }: PassesSection): Word => ({
  after: "Jws-Signature: ",
  output: ["sign-pass", pathname, "--jws-key", jws.privateKeyFile],
});

export const getPassReference = describeEndpoint({
  contract: getPass,
  tag: "Wallet passes",
  title: "Get a pass",
  text: [
    "Returns the latest state of a pass. Send the `ETag` of the last `200` in `If-None-Match`: while the pass is unchanged, the answer is a `304` without a body.",
    "Poll each pass once a minute by default. More often is allowed within the limit, which all passes of the wallet service share, and of which a `304` takes a token too. The next poll sees a change.",
    "A `404` or a `410` means that the pass is gone: stop polling it. A `429` or a `503` is temporary: repeat the request after `Retry-After` seconds.",
  ],
  parameters: {
    partner_reference: {
      text: "The partner's own reference of the pass, without the prefix `ref:`.",
      example: "demo-1",
    },
  },
  headers: {
    [contractBrand.versionHeader]: {
      text: "Version of the contract that the caller speaks.",
      example: passContractVersions.at(-1) ?? "",
      enum: passContractVersions,
      isRequired: true,
    },
    "If-None-Match": {
      text: "An `ETag` of an earlier `200`, quotes included; a list of them; or `*`.",
      example: '"mB3kq0cS2h1X9aYw"',
      isRequired: false,
    },
  },
  success: {
    text: "The pass, as it was published.",
    record: passRecord,
    headers: {
      ETag: "Names this state of the pass in this version of the contract (RFC 9110 8.8.3).",
      Vary: "The header that carries the version.",
    },
  },
  notModified: "The pass has not changed since the answer that carried this `ETag`. There is no body.",
  codes: [...codesOfEvery, "unsupported_version", "insufficient_scope", "not_found", "gone"],
  cost: "1 token a request.",
  curl,
  examples: {
    good: { "The record": "/passes/lounge-7" },
    refused: { not_found: "/passes/lounge-9", gone: "/passes/lounge-6" },
  },
});
