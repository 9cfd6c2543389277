import { openStore } from "../../local/store/engine.ts";

/** Opens a store in a process of its own, says where it answers, and keeps it until the process is ended. */
const [dataDir = "", kind] = process.argv.slice(2);
const store = await openStore(dataDir, { kind: kind as "gateway" | "command" });
process.stdout.write(`${JSON.stringify({ endpoint: store.endpoint, accessKeyId: store.accessKeyId })}\n`);
process.stdin.resume();
process.stdin.on("end", () => void store.close());
