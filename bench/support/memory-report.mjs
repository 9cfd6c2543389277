// Loaded before a program by `--import`: writes what the process holds, thread by thread, when a signal asks for it.
import { subscribe } from "node:diagnostics_channel";
import { renameSync, writeFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import { isMainThread } from "node:worker_threads";

const MB = 1_048_576;
const file = process.env.MEMORY_REPORT;

if (isMainThread && file !== undefined) {
  const threads = new Set();
  subscribe("worker_threads", ({ worker }) => {
    threads.add(worker);
    worker.once("exit", () => threads.delete(worker));
  });
  process.on("SIGUSR2", async () => {
    const residentMb = process.memoryUsage.rss() / MB;
    const heaps = [["gateway", getHeapStatistics()]];
    for (const worker of threads) heaps.push([worker.threadName, await worker.getHeapStatistics()]);
    const report = { residentMb, heapsMb: heaps.map(([name, heap]) => [name, heap.total_heap_size / MB]) };
    writeFileSync(`${file}.part`, JSON.stringify(report));
    renameSync(`${file}.part`, file);
  });
}
