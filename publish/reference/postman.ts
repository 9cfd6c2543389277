import { contractBrand } from "../../lib/brand.ts";
import { type EndpointReference, tags } from "../../local/endpoints/endpoint-reference.ts";
import { examplePath, exampleQuery, variableHeaders, variables } from "./http-file.ts";

/** The collection format that Postman, Bruno and Insomnia import. */
const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** Requests of every endpoint, grouped by interface. The one that is signed signs itself. */
export function postmanCollection(references: readonly EndpointReference[]): object {
  const folders = Map.groupBy(references, ({ tag }) => tag);
  return {
    info: { name: "countinghouse", description: ABOUT, schema: SCHEMA },
    variable: Object.entries({ ...variables, exchangePrivateKey: PRIVATE_KEY_TEXT }).map(([key, value]) => ({
      key,
      value,
    })),
    item: [...folders].map(([name, ofFolder]) => ({
      name,
      description: tags[name],
      item: ofFolder.map(requestItem),
    })),
  };
}

const ABOUT =
  "The variables have values of the demo.json that `npm start` writes into its data directory. The request of the exchange signs itself, in a script that needs the Web Crypto of Postman 11; Newman 6 does not have it.";

const PRIVATE_KEY_TEXT =
  "the base64 lines of exchange.privateKeyFile of .countinghouse/demo.json, without BEGIN and END";

function requestItem(reference: EndpointReference): object {
  const { title, text, contract, tag } = reference;
  const query = exampleQuery(reference).map(([key, { text: description, example }]) => ({
    key,
    value: String(example),
    description,
    disabled: true,
  }));
  return {
    name: title,
    ...(tag === "Exchange" && { event: [{ listen: "prerequest", script: { exec: SIGN.split("\n") } }] }),
    request: {
      method: contract.method,
      description: text.join("\n\n"),
      header: Object.entries(variableHeaders[tag]).map(([key, value]) => ({ key, value })),
      url: {
        raw: `{{baseUrl}}${examplePath(reference)}`,
        host: ["{{baseUrl}}"],
        path: examplePath(reference).slice(1).split("/"),
        query,
      },
    },
  };
}

const { headerPrefix } = contractBrand;

/** Signs the request that is about to be sent. Postman's sandbox has Web Crypto, and awaits promises of a script. */
const SIGN = `const timestamp = String(Date.now());
const url = new URL(pm.variables.replaceIn(pm.request.url.toString()));
const text = timestamp + pm.request.method + decodeURIComponent(url.pathname) + url.search.slice(1);
const pkcs8 = Uint8Array.from(atob(pm.variables.get("exchangePrivateKey").replace(/\\s/g, "")), (c) => c.charCodeAt(0));
const key = await crypto.subtle.importKey("pkcs8", pkcs8, { name: "Ed25519" }, false, ["sign"]);
const signature = await crypto.subtle.sign("Ed25519", key, new TextEncoder().encode(text));
pm.request.headers.upsert({ key: "${headerPrefix}Timestamp", value: timestamp });
pm.request.headers.upsert({ key: "${headerPrefix}Signature", value: btoa(String.fromCharCode(...new Uint8Array(signature))) });`;
