import { openEmbeddedEngine } from "../../local/store/embedded-engine.ts";
import type { StoreRequest } from "../../local/store/wire.ts";
import { call, partsItem, put, sampleTables } from "./rule-samples/requests.ts";

/**
 * Asks an engine of its own a request that may end it, so that no other process ends with it. The process ends well only
 * when the request is answered.
 */
const request = JSON.parse(process.argv[2] ?? "") as StoreRequest;
const { handle } = openEmbeddedEngine();
for (const table of sampleTables) await handle(call("CreateTable", table));
await handle(put());
await handle(put(partsItem));
await handle(request);
process.exit(0);
