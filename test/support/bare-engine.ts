import { openEmbeddedEngine } from "../../infra/local/store/embedded-engine.ts";
import { ownerIdentity } from "../../infra/local/store/identity.ts";
import { failRequestUnderWay } from "../../infra/local/store/request-under-way.ts";
import { startStoreServer } from "../../infra/local/store/store-server.ts";

/**
 * Runs the embedded engine in a process of its own, without the rules that spare it what makes it throw, and says where
 * it answers.
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
