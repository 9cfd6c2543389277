import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Figure, figureOfPairs, type Measurement } from "./figure.ts";
import { type DeployedBundle, deployedBundles } from "./support/bundles.ts";
import { cannedService, type EndpointName } from "./support/canned-service.ts";
import { type CannedStore, startCannedStore } from "./support/canned-store.ts";
import { type Start, startOnce } from "./support/start-once.ts";

const PAIRS = 30;
/** The time of half a round trip to the issuer. */
const ISSUER_MS = 25;
const NAMES: readonly EndpointName[] = ["get-transaction", "list-transactions", "get-pass"];

export const keptKeySets: Measurement = {
  name: "kept-key-sets",
  about:
    "Cold starts as under cold-start, of the endpoints that take tokens: once with the issuer's key set kept in Settings, and once without, so " +
    "that the first request asks the issuer over TLS. The issuer is on loopback too, but everything takes 25 ms on the way to it and 25 ms " +
    "back, which a real one may take; its set has one key. CPU is that of the whole process.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const service = await cannedService();
  const store = await startCannedStore({ ...service, issuerMs: ISSUER_MS });
  const directory = await mkdtemp(path.join(tmpdir(), "countinghouse-bench-"));
  try {
    const bundles = deployedBundles(store.jwksUrl);
    const figures: Figure[] = [];
    for (const name of NAMES) {
      const bundle = bundles.get(name);
      if (bundle === undefined) throw new Error(`${name} is not deployed.`);
      const eventFile = path.join(directory, `${name}.json`);
      await writeFile(eventFile, JSON.stringify(await service.event(name, bundle.environment)));
      figures.push(...figuresOf(name, await startPairs(bundle, store, eventFile)));
    }
    return figures;
  } finally {
    await rm(directory, { recursive: true });
    await store.close();
  }
}

type StartPair = readonly [kept: Start, unkept: Start];

/** Starts with the kept set and without it, in pairs whose order alternates. */
async function startPairs(
  { file, environment }: DeployedBundle,
  store: CannedStore,
  eventFile: string,
): Promise<readonly StartPair[]> {
  const start = (jwksUrl: string): Promise<Start> =>
    startOnce(
      { file, environment: { ...store.environment, ...environment, TOKEN_JWKS_URL: jwksUrl } },
      eventFile,
    );
  const pairs: StartPair[] = [];
  // The first pair only brings the files into memory.
  for (let pair = -1; pair < PAIRS; pair += 1) {
    const urls = [store.jwksUrl, store.unkeptJwksUrl] as const;
    const [first, second] = pair % 2 === 0 ? urls : ([urls[1], urls[0]] as const);
    const starts = [await start(first), await start(second)] as const;
    if (pair >= 0) pairs.push(pair % 2 === 0 ? starts : [starts[1], starts[0]]);
  }
  return pairs;
}

function figuresOf(name: string, pairs: readonly StartPair[]): Figure[] {
  const figure = (what: string, of: (start: Start) => number, ratioMax?: number): Figure =>
    figureOfPairs(
      {
        what: `${name}: ${what}`,
        unit: "ms",
        peerName: "the issuer asked",
        ...(ratioMax !== undefined && { ratioMax }),
      },
      pairs.map(([kept, unkept]) => [of(kept), of(unkept)] as const),
    );
  return [
    figure("CPU", ({ cpuMs }) => cpuMs, 1),
    figure("wall time", ({ wallMs }) => wallMs),
    figure("first request, once loaded", ({ firstMs }) => firstMs),
  ];
}
