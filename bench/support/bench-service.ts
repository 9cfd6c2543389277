import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import type { Engine } from "../../test/support/engine.ts";
import { startBenchEngine } from "./bench-engine.ts";
import { startCommand } from "./start-command.ts";

/** An `npm start` on an engine that a measurement can fill. */
export interface BenchService {
  readonly engine: Engine;
  readonly demo: DemoFile;
}

/** Starts both, and ends them with `running`. */
export async function startBenchService(running: AsyncDisposableStack): Promise<BenchService> {
  const engine = await startBenchEngine();
  running.defer(() => engine.close());
  const dataDir = await mkdtemp(path.join(tmpdir(), "countinghouse-bench-"));
  running.defer(() => rm(dataDir, { recursive: true }));
  const options = ["--port", "0", "--data", dataDir, "--dynamodb-endpoint", engine.endpoint];
  const service = await startCommand(options);
  running.defer(async () => void (await service.stop()));
  service.child.stdout?.resume();
  const demo = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")) as DemoFile;
  return { engine, demo };
}
