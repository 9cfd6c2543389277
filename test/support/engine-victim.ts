import { openEmbeddedEngine } from "../../local/store/embedded-engine.ts";
import type { StoreRequest } from "../../local/store/wire.ts";
import { call, partsItem, put, sampleTables } from "./rule-samples/requests.ts";

/**
 * Sends an engine in this process a request that may crash it, so that no other process crashes. The process exits with
 * 0 only when the request is answered, and not as a fault of the engine.
 */
const request = JSON.parse(process.argv[2] ?? "") as StoreRequest;
const { handle } = openEmbeddedEngine();
for (const table of sampleTables) await handle(call("CreateTable", table));
await handle(put());
await handle(put(partsItem));
const { status } = await handle(request);
process.exit(status < 500 ? 0 : 1);
