import { openEmbeddedEngine } from "../../local/store/embedded-engine.ts";
import { ownerIdentity } from "../../local/store/identity.ts";
import { catchEngineErrors } from "../../local/store/request-under-way.ts";
import { startStoreServer } from "../../local/store/store-server.ts";

/**
 * Runs the embedded engine in this process, without the rules that keep away requests on which it throws, and prints
 * its address.
 */
catchEngineErrors();
const { handle } = openEmbeddedEngine(undefined, () => {});
const server = await startStoreServer({
  handle,
  identities: [ownerIdentity("local")],
  report: console.error,
});
process.stdout.write(`${server.endpoint}\n`);
