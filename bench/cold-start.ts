import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Figure, figureOfCounts, figureOfPairs, type Measurement } from "./figure.ts";
import { deployedBundles, peerBundle } from "./support/bundles.ts";
import { cannedService, type EndpointName, type Environment } from "./support/canned-service.ts";
import { type CannedStore, startCannedStore } from "./support/canned-store.ts";
import { type Start, type Starter, startOnce } from "./support/start-once.ts";

const STARTS = 15;
const HELLO = "hello-world";
const DEFAULT_STACK = "default stack";

export const coldStart: Measurement = {
  name: "cold-start",
  about:
    "A fresh process imports the deployed bundle and answers its first request from a store over TLS on loopback: CPU of " +
    "the whole process, and wall time from its creation to its answer. The peers are a handler that does nothing, and the " +
    "same endpoint written the usual way (zod by its name, document client, jose's remote key set, noble, the bundler's " +
    "defaults). All of them include Node.js itself, but not Lambda's own start or its slower CPU at small memory sizes.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const service = await cannedService();
  await using store = await startCannedStore(service);
  await using directory = await mkdtempDisposable(path.join(tmpdir(), "countinghouse-bench-"));
  const hello = await peerBundle("hello-world.ts");
  const figures: Figure[] = [];
  for (const [name, bundle] of deployedBundles(store.jwksUrl)) {
    const endpoint = name as EndpointName;
    const peer = await peerBundle(`default-stack/${name}.ts`);
    const eventFile = path.join(directory.path, `${name}.json`);
    const starters = {
      ours: { file: bundle.file, environment: { ...store.environment, ...bundle.environment } },
      hello: { file: hello.file, environment: store.environment },
      peer: {
        file: peer.file,
        environment: { ...store.environment, ...peerEnvironment(store, bundle.environment) },
      },
    };
    const writeEvent = async (): Promise<void> =>
      writeFile(eventFile, JSON.stringify(await service.event(endpoint, bundle.environment)));
    const starts = await startInTurns(starters, writeEvent, eventFile);
    figures.push(
      ...figuresOf(name, starts),
      figureOfCounts(
        { what: `${name}: bundle`, unit: "bytes", peerName: DEFAULT_STACK },
        bundle.bytes,
        peer.bytes,
      ),
    );
  }
  return figures;
}

const peerEnvironment = (store: CannedStore, { TOKEN_ISSUER = "", TOKEN_AUDIENCE = "" }: Environment) => ({
  PEER_JWKS_URL: store.jwksUrl,
  PEER_ISSUER: TOKEN_ISSUER,
  PEER_AUDIENCE: TOKEN_AUDIENCE,
});

type Starters = Readonly<Record<"ours" | "hello" | "peer", Starter>>;
type Starts = Readonly<Record<"ours" | "hello" | "peer", readonly Start[]>>;

/** Starts the three in turns, in an order that turns as well. */
async function startInTurns(
  starters: Starters,
  prepare: () => Promise<void>,
  eventFile: string,
): Promise<Starts> {
  const starts: Record<keyof Starters, Start[]> = { ours: [], hello: [], peer: [] };
  const kinds = Object.keys(starters) as (keyof Starters)[];
  for (let round = -1; round < STARTS; round += 1) {
    await prepare();
    for (const at of kinds.keys()) {
      const kind = kinds[(at + round + kinds.length) % kinds.length] ?? "ours";
      const timing = await startOnce(starters[kind], eventFile);
      // The first round only brings the files into memory.
      if (round >= 0) starts[kind].push(timing);
    }
  }
  return starts;
}

function figuresOf(name: string, { ours, hello, peer }: Starts): Figure[] {
  const pairs = (others: readonly Start[], of: (start: Start) => number) =>
    ours.map((own, at) => [of(own), of(others[at] ?? own)] as const);
  const cpu = ({ cpuMs }: Start) => cpuMs;
  const wall = ({ wallMs }: Start) => wallMs;
  const first = ({ firstMs }: Start) => firstMs;
  const figure = (what: string, peerName: string, values: ReturnType<typeof pairs>, ratioMax?: number) =>
    figureOfPairs({ what: `${name}: ${what}`, unit: "ms", peerName, ratioMax }, values);
  return [
    figure("CPU", HELLO, pairs(hello, cpu)),
    figure("wall time", HELLO, pairs(hello, wall), 3.5),
    figure("CPU", DEFAULT_STACK, pairs(peer, cpu), 0.5),
    figure("wall time", DEFAULT_STACK, pairs(peer, wall)),
    figure("first request, once loaded", DEFAULT_STACK, pairs(peer, first)),
  ];
}
