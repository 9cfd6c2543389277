import { openEmbeddedEngine } from "../../local/store/embedded-engine.ts";
import { ownerIdentity } from "../../local/store/identity.ts";
import { failRequestUnderWay } from "../../local/store/request-under-way.ts";
import { startStoreServer } from "../../local/store/store-server.ts";

/**
 * Runs the embedded engine in this process, without the rules that keep away requests on which it throws, and prints
 * its address.
 */
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => {
    if (!failRequestUnderWay(error)) throw error;
  });
const { handle } = openEmbeddedEngine(undefined, () => {});
const server = await startStoreServer({
  handle,
  identities: [ownerIdentity("local")],
  report: console.error,
});
process.stdout.write(`${server.endpoint}\n`);
