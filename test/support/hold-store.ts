import { openStore } from "../../local/store/engine.ts";

/** Opens a store in this process, prints its address, and keeps the store open until standard input ends. */
const [dataDir = "", kind] = process.argv.slice(2);
const store = await openStore(dataDir, { kind: kind as "gateway" | "command" });
process.stdout.write(`${JSON.stringify({ endpoint: store.endpoint, accessKeyId: store.accessKeyId })}\n`);
process.stdin.resume();
process.stdin.on("end", () => void store.close());
