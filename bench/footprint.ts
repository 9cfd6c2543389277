import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { resourcesOf, synthesize, testStage } from "../test/support/synthesize.ts";
import { type Figure, figureOfCounts, figureOfPairs, type Measurement } from "./figure.ts";
import { serviceMemory } from "./service-memory.ts";
import { deployedBundles, peerBundle } from "./support/bundles.ts";
import { cannedService, type EndpointName } from "./support/canned-service.ts";
import { startCannedStore } from "./support/canned-store.ts";
import { accessLineOf, loggedBytes } from "./support/log-lines.ts";
import { type Start, startOnce } from "./support/start-once.ts";

const STARTS = 3;

export const footprint: Measurement = {
  name: "footprint",
  about:
    "What a first request leaves in the log and takes of memory: the lines of the deployed bundle against the gateway's " +
    "access line, both as CloudWatch counts them, and the resident memory of the process after it against that of a handler " +
    "that does nothing. Later requests log a few bytes less. Lambda's own lines come on top. Then the memory of `npm start` by " +
    "part: half a minute after a first start, half a minute after another on the same data, and after 20 s of sixteen callers.",
  run: measure,
};

/** The gateway's access line of the deployed format, with values of usual lengths. */
function accessLine(): string {
  const { api } = synthesize(testStage());
  const [stage] = resourcesOf(api, "AWS::ApiGatewayV2::Stage");
  return accessLineOf(String(stage?.Properties.AccessLogSettings.Format));
}

async function measure(): Promise<readonly Figure[]> {
  const service = await cannedService();
  await using store = await startCannedStore(service);
  await using directory = await mkdtempDisposable(path.join(tmpdir(), "countinghouse-bench-"));
  const hello = await peerBundle("hello-world.ts");
  const accessBytes = loggedBytes([accessLine()]);
  const figures: Figure[] = [];
  for (const [name, { file, environment }] of deployedBundles(`${store.url}/jwks.json`)) {
    const eventFile = path.join(directory.path, `${name}.json`);
    await writeFile(eventFile, JSON.stringify(await service.event(name as EndpointName, environment)));
    const pairs: (readonly [Start, Start])[] = [];
    for (let start = 0; start < STARTS; start += 1)
      pairs.push([
        await startOnce({ file, environment: { ...store.environment, ...environment } }, eventFile),
        await startOnce({ file: hello.file, environment: store.environment }, eventFile),
      ]);
    figures.push(...figuresOf(name, pairs, accessBytes));
  }
  return [...figures, ...(await serviceMemory())];
}

function figuresOf(name: string, pairs: readonly (readonly [Start, Start])[], accessBytes: number): Figure[] {
  const lines = pairs[0]?.[0].lines ?? [];
  return [
    figureOfCounts(
      { what: `${name}: log lines`, unit: "bytes", peerName: "the gateway's access line" },
      loggedBytes(lines),
      accessBytes,
    ),
    figureOfPairs(
      { what: `${name}: memory`, unit: "MB", peerName: "hello-world" },
      pairs.map(([ours, hello]) => [ours.memoryMb, hello.memoryMb]),
    ),
  ];
}
