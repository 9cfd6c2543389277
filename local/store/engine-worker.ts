import { once } from "node:events";
import { dirname } from "node:path";
import { type MessagePort, parentPort } from "node:worker_threads";
import { systemClock } from "../../lib/clock.ts";
import { ClockShift } from "../clock/clock-shift.ts";
import { collectGarbage } from "../process/collect-garbage.ts";
import { within } from "../process/within.ts";
import type { WireItem } from "./behaviour/touched-items.ts";
import { clientLimits } from "./client-limits.ts";
import { type EmbeddedEngine, openEmbeddedEngine, type StoreEngine } from "./embedded-engine.ts";
import type {
  EngineQuestion,
  EngineRequest,
  EngineSettings,
  LaterMessage,
  ListeningMessage,
} from "./engine.ts";
import { engineAt } from "./engine-at.ts";
import { beginUse, endUse } from "./engine-repair.ts";
import { DISK_FULL_EXCEPTION, diskFull, isDiskFull } from "./full-disk.ts";
import { ownerIdentity } from "./identity.ts";
import { catchEngineErrors } from "./request-under-way.ts";
import { startStoreServer } from "./store-server.ts";
import { strictStore } from "./strict-store.ts";
import { AnswerLost } from "./wire.ts";

/** The store runs in a thread of its own, so that its work and the gateway's do not wait for each other. */
const parent = parentPort as MessagePort;
const [{ engine: place, accessKeyId, behaviour, clockShift, calls }] = (await once(parent, "message")) as [
  EngineSettings,
];
const { clock } = new ClockShift(clockShift);
let isBroken = false;
let isStirred = false;
catchEngineErrors(breakDown);
const engine = await openEngine(place);
const server = await startStoreServer({
  handle: strictStore({
    engine,
    behaviour,
    clock: systemClock,
    expiryClock: clock,
    random: Math.random,
    isStirred: () => isStirred,
  }),
  identities: [ownerIdentity(accessKeyId)],
  upkeep: "content" in engine ? { accessKeyId, dropDeleted: engine.content.dropDeleted } : undefined,
  report: (error) => (isDiskFull(error) ? breakDown() : console.error(error)),
  tell: (call) => calls.postMessage(call),
  clock,
});

async function openEngine(at: EngineSettings["engine"]): Promise<StoreEngine | EmbeddedEngine> {
  if ("endpoint" in at) return reach(at.endpoint);
  const { path } = at;
  if (path === undefined) return openEmbeddedEngine();
  await beginUse(path);
  const embedded = openEmbeddedEngine(path);
  const close = async (): Promise<void> => {
    await embedded.close();
    // Reached only after a clean close. Otherwise the mark stays, and the next start repairs the files.
    await endUse(path);
  };
  return { ...embedded, close };
}

/** Connects to another engine. An engine that does not answer fails the start, not the first request. */
async function reach(endpoint: string): Promise<StoreEngine> {
  const other = answeringInTime(engineAt(endpoint));
  await other.handle({ operation: "ListTables", input: {} });
  return other;
}

/** Ends a request that the engine does not answer in time, because later writes of the same item wait for it. */
function answeringInTime({ handle, close }: StoreEngine): StoreEngine {
  const timeMs = clientLimits.requestTimeout;
  const inTime: StoreEngine["handle"] = async (request) => {
    const answer = await within(timeMs, handle(request));
    if (answer !== undefined) return answer;
    throw new AnswerLost(`no answer within ${timeMs} ms`);
  };
  return { handle: inTime, close };
}

parent.on("message", (request: EngineRequest) => {
  if ("id" in request) void serve(request);
  else if (request.kind === "close") void close();
  else if (request.kind === "stir") isStirred = true;
  else void collectGarbage();
});
parent.postMessage({ endpoint: server.endpoint } satisfies ListeningMessage);

async function serve(request: Extract<EngineRequest, EngineQuestion>): Promise<void> {
  if (request.kind === "admit") server.admit(request.identity);
  if (request.kind === "fill") await fill(request.table, request.items);
  const ownerWrites = server.writesOf(accessKeyId);
  parent.postMessage({ id: request.id, ownerWrites } satisfies LaterMessage);
}

/** On a full disk it returns as well: every later request is refused, with the reason. */
async function fill(table: string, items: readonly WireItem[]): Promise<void> {
  if (!("content" in engine)) throw new Error("Only the embedded engine can be filled.");
  try {
    await engine.content.fill(table, items);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    breakDown();
  }
}

/** Tells all waiting callers that the disk is full. Does nothing for an engine elsewhere, whose disk is another. */
function breakDown(): void {
  if (isBroken || !("path" in place) || place.path === undefined) return;
  void tellOfFullDisk(dirname(place.path));
  isBroken = true;
}

async function tellOfFullDisk(dataDir: string): Promise<void> {
  await server.refuseAll({ code: DISK_FULL_EXCEPTION, message: diskFull(dataDir).message });
  parent.postMessage("disk full" satisfies LaterMessage);
}

async function close(): Promise<void> {
  await server.close();
  // An engine whose files failed would never finish closing; the next start repairs the files. Requests that an engine
  // elsewhere has not answered would keep the thread alive as well.
  if (isBroken || "endpoint" in place) process.exit();
  await engine.close().catch(() => {});
  // The thread ends by itself, because an exit while threads of LevelDB are still ending can crash the whole process.
  parent.close();
}
