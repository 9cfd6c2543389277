import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../lib/clock.ts";
import { within } from "../within.ts";
import { clientLimits } from "./client-limits.ts";
import { openEmbeddedEngine, type StoreEngine } from "./embedded-engine.ts";
import type { EngineRequest, EngineSettings, LaterMessage, ListeningMessage } from "./engine.ts";
import { engineAt } from "./engine-at.ts";
import { beginUse, endUse } from "./engine-repair.ts";
import { DISK_FULL_EXCEPTION, diskFull, isDiskFull } from "./full-disk.ts";
import { ownerIdentity } from "./identity.ts";
import { failRequestUnderWay } from "./request-under-way.ts";
import { startStoreServer } from "./store-server.ts";
import { strictStore } from "./strict-store.ts";

/** The store, in a thread of its own so that its work and the gateway's do not wait for each other. */
const { engine: place, accessKeyId, behaviour } = workerData as EngineSettings;
let isBroken = false;
let isStirred = false;
// The engine throws what its files throw, and what a request makes it throw, where nobody can catch it.
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => {
    if (isDiskFull(error)) breakDown();
    // What is no request's is the end of the store, as it was.
    else if (!failRequestUnderWay(error)) throw error;
  });
const engine = await openEngine(place);
const server = await startStoreServer({
  handle: strictStore({
    engine,
    behaviour,
    clock: systemClock,
    random: Math.random,
    isStirred: () => isStirred,
  }),
  identities: [ownerIdentity(accessKeyId)],
  report: (error) => (isDiskFull(error) ? breakDown() : console.error(error)),
});

async function openEngine(at: EngineSettings["engine"]): Promise<StoreEngine> {
  if ("endpoint" in at) return reach(at.endpoint);
  const { path } = at;
  await beginUse(path);
  const embedded = openEmbeddedEngine(path);
  const close = async (): Promise<void> => {
    await embedded.close();
    // What did not close in good order is mended at the next start.
    await endUse(path);
  };
  return { ...embedded, close };
}

/** Another engine has to answer now: later, nobody would know whether it ever did. */
async function reach(endpoint: string): Promise<StoreEngine> {
  const other = answeringInTime(engineAt(endpoint));
  await other.handle({ operation: "ListTables", input: {} });
  return other;
}

/** A request that is taken and never answered would keep all that ask for the same item after it. */
function answeringInTime({ handle, close }: StoreEngine): StoreEngine {
  const timeMs = clientLimits.requestTimeout;
  const inTime: StoreEngine["handle"] = async (request) => {
    const answer = await within(timeMs, handle(request));
    if (answer !== undefined) return answer;
    throw Object.assign(new Error(`no answer within ${timeMs} ms`), { code: "ECONNABORTED" });
  };
  return { handle: inTime, close };
}

parentPort?.on("message", (request: EngineRequest) => {
  if (request.kind === "close") void close();
  else if (request.kind === "stir") isStirred = true;
  else {
    server.admit(request.identity);
    parentPort?.postMessage("admitted" satisfies LaterMessage);
  }
});
parentPort?.postMessage({ endpoint: server.endpoint } satisfies ListeningMessage);

/** That the disk is full is told to everybody who waits. An engine elsewhere has a disk of its own. */
function breakDown(): void {
  if (isBroken || !("path" in place)) return;
  void tellOfFullDisk(dirname(place.path));
  isBroken = true;
}

async function tellOfFullDisk(dataDir: string): Promise<void> {
  await server.refuseAll({ code: DISK_FULL_EXCEPTION, message: diskFull(dataDir).message });
  parentPort?.postMessage("disk full" satisfies LaterMessage);
}

async function close(): Promise<void> {
  await server.close();
  // An engine whose files failed waits for what never comes; the next start mends them. What an engine elsewhere owes an
  // answer to would keep the thread as well.
  if (isBroken || "endpoint" in place) process.exit();
  await engine.close().catch(() => {});
  // The thread ends by itself: LevelDB's own threads may still be on their way out, and do not survive its sudden end.
  parentPort?.close();
}
