import { promisify } from "node:util";
import sandbox from "postman-sandbox";
import { afterAll, beforeAll, test } from "vitest";
import {
  expectSigned,
  SIGNED_QUERIES,
  type SignedItem,
  type Variable,
} from "../support/postman-collection.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService("dynalite");
});
afterAll(() => service.close());

/** Runs the script of a request as Postman does before it sends the request. */
async function runScript(
  { event: [script], request }: SignedItem,
  url: URL,
  values: readonly Variable[],
): Promise<readonly Variable[]> {
  const context = await promisify(sandbox.createContext.bind(sandbox))({});
  const query = [...url.search.slice(1).matchAll(/([^=&]+)=([^&]*)/g)].map(([, key, value]) => ({
    key,
    value,
  }));
  const asked = { ...request, url: { ...request.url, query } };
  const { request: sent } = await promisify(context.execute.bind(context))(
    { listen: "prerequest", script: script?.script },
    { context: { request: asked, collectionVariables: { values } } },
  );
  context.dispose();
  return sent.header;
}

test.each(SIGNED_QUERIES)(
  "Postman's own sandbox signs the request with the query %j so that the signature is right",
  (query) => expectSigned(service, query, runScript),
);
