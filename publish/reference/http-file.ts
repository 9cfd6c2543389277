import { contractBrand } from "../../lib/brand.ts";
import { ownMember } from "../../lib/own-member.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import type { EndpointReference, ParameterText, Tag } from "../../local/endpoints/endpoint-reference.ts";
import { parameterShapes } from "../../local/endpoints/json-schema.ts";

const { headerPrefix, versionHeader } = contractBrand;

/** Headers with the variables of a collection, which the reader fills in. */
export const variableHeaders: Readonly<Record<Tag, Readonly<Record<string, string>>>> = {
  "Business accounts": { Authorization: "Bearer {{businessToken}}" },
  "Wallet passes": {
    Authorization: "Bearer {{passToken}}",
    [versionHeader]: passContractVersions.at(-1) ?? "",
  },
  Exchange: {
    [`${headerPrefix}API-Key`]: "{{exchangeKey}}",
    [`${headerPrefix}Timestamp`]: "{{timestamp}}",
    [`${headerPrefix}Signature`]: "{{signature}}",
  },
  Ramp: { "X-API-KEY": "{{partnerKey}}" },
};

/** The variables that a reader fills in, and where `npm start` writes their values. */
export const variables: Readonly<Record<string, string>> = {
  baseUrl: "http://127.0.0.1:3000",
  businessToken: "business.token of .countinghouse/demo.json",
  passToken: "passes.token of .countinghouse/demo.json",
  exchangeKey: "exchange.apiKey of .countinghouse/demo.json",
  partnerKey: "ramp.apiKey of .countinghouse/demo.json",
  transactionId: "business.transactionId of .countinghouse/demo.json",
  passReference: "passes.partnerReference of .countinghouse/demo.json",
  orderId: "ramp.orderId of .countinghouse/demo.json",
};

/** The variables of path parameters whose values differ from store to store. */
const pathVariables: Readonly<Record<string, string>> = {
  id: "{{transactionId}}",
  partner_reference: "{{passReference}}",
  order_id: "{{orderId}}",
};

/** A route with the variables or the examples of its path parameters in it. */
export const examplePath = ({ contract, parameters }: EndpointReference): string =>
  contract.route.replace(
    /\{([^}]+)\}/g,
    (_, name: string) =>
      ownMember(pathVariables, name) ?? encodeURIComponent(String(parameters[name]?.example)),
  );

/** The query parameters of an endpoint with their examples, each to be switched on by its reader. */
export function exampleQuery({
  contract,
  parameters,
}: EndpointReference): [name: string, text: ParameterText][] {
  return Object.keys(parameterShapes(contract)).flatMap((name) => {
    const given = parameters[name];
    return given === undefined || contract.route.includes(`{${name}}`) ? [] : [[name, given]];
  });
}

/**
 * A file of requests that HTTP clients of editors send: VS Code's REST Client, JetBrains' client, httpYac. Not all of them
 * can sign, so it has no request that is signed.
 */
export function httpFile(references: readonly EndpointReference[]): string {
  const requests = references.filter(({ tag }) => tag !== "Exchange").map(requestText);
  const settings = Object.entries(variables)
    .filter(([name]) => requests.some((request) => request.includes(`{{${name}}}`)))
    .map(([name, value]) => `@${name} = ${value}`);
  return [HEAD, settings.join("\n"), ...requests].join("\n\n").concat("\n");
}

const HEAD = `# A request of each endpoint, with values of the demo.json that \`npm start\` writes into its data directory.
# The exchange's is left out, because it needs a new signature each time: the Postman collection makes one, and so do the curl
# lines of \`npm run --silent ops -- demo curl --data DIRECTORY\`.`;

const requestText = (reference: EndpointReference): string =>
  [
    `### ${reference.title}`,
    `${reference.contract.method} {{baseUrl}}${examplePath(reference)}`,
    ...Object.entries(variableHeaders[reference.tag]).map(([name, value]) => `${name}: ${value}`),
  ].join("\n");
