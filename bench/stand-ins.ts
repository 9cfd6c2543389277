import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ReplacedModule } from "../infra/bundling/stand-ins.ts";
import { type Endpoint, endpoints } from "../infra/endpoints.ts";
import { type BuiltBundle, buildBundle } from "../test/support/build-bundle.ts";
import { type Figure, figureOfCounts, figureOfPairs, type Measurement } from "./figure.ts";
import { deployedBundles } from "./support/bundles.ts";
import { cannedService, type EndpointName } from "./support/canned-service.ts";
import { startCannedStore } from "./support/canned-store.ts";
import type { Pair } from "./support/pairs.ts";
import { startOnce } from "./support/start-once.ts";

const PAIRS = 100;
/** The function with the shortest cold start: whatever saves CPU is the greatest part of it there. */
const NAME: EndpointName = "get-sell-order";

export const standIns: Measurement = {
  name: "stand-ins",
  about:
    `What each stand-in for a part of the AWS SDK pays (decisions 26 and 46): cold starts of ${NAME} as under cold-start, with the bundle as it ` +
    "is deployed against one that carries the SDK's own part in that single place.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const service = await cannedService();
  const store = await startCannedStore(service);
  const directory = await mkdtemp(path.join(tmpdir(), "countinghouse-bench-"));
  try {
    const endpoint = endpoints.find(({ contract }) => contract.name === NAME);
    const deployed = deployedBundles(store.jwksUrl).get(NAME);
    if (endpoint === undefined || deployed === undefined) throw new Error(`${NAME} is not deployed.`);
    const environment = { ...store.environment, ...deployed.environment };
    const eventFile = path.join(directory, "event.json");
    await writeFile(eventFile, JSON.stringify(await service.event(NAME, deployed.environment)));
    const figures: Figure[] = [];
    for (const module of endpoint.replaced) {
      const built = await buildBoth(endpoint, module, directory);
      const pairs = await startPairs(built, environment, eventFile);
      figures.push(...figuresOf(module, built, pairs));
    }
    return figures;
  } finally {
    await rm(directory, { recursive: true });
    await store.close();
  }
}

type Both = Readonly<Record<"ours" | "peer", BuiltBundle>>;

async function buildBoth(endpoint: Endpoint, module: ReplacedModule, directory: string): Promise<Both> {
  const others = endpoint.replaced.filter((other) => other !== module);
  return {
    ours: await buildBundle(endpoint, endpoint.replaced, directory),
    peer: await buildBundle(endpoint, others, directory),
  };
}

/** CPU of cold starts in ms, in pairs whose order alternates. */
async function startPairs(
  { ours, peer }: Both,
  environment: Readonly<Record<string, string>>,
  eventFile: string,
): Promise<readonly Pair[]> {
  const cpuMs = async ({ file }: BuiltBundle) => (await startOnce({ file, environment }, eventFile)).cpuMs;
  const pairs: Pair[] = [];
  // The first pair only brings the files into memory.
  for (let pair = -1; pair < PAIRS; pair += 1) {
    const isOursFirst = pair % 2 === 0;
    const first = await cpuMs(isOursFirst ? ours : peer);
    const second = await cpuMs(isOursFirst ? peer : ours);
    if (pair >= 0) pairs.push(isOursFirst ? [first, second] : [second, first]);
  }
  return pairs;
}

const filesIn = ({ metafile }: BuiltBundle): number =>
  Object.values(metafile.outputs).reduce((sum, { inputs }) => sum + Object.keys(inputs).length, 0);

function figuresOf(module: ReplacedModule, { ours, peer }: Both, pairs: readonly Pair[]): Figure[] {
  const peerName = "the SDK's own part";
  const options = (what: string, unit: string) => ({ what: `${module}: ${what}`, unit, peerName });
  return [
    figureOfPairs({ ...options("CPU", "ms"), ratioMax: 0.99 }, pairs),
    figureOfCounts(options("bundle", "bytes"), ours.bytes, peer.bytes),
    figureOfCounts(options("files in it", "files"), filesIn(ours), filesIn(peer)),
  ];
}
