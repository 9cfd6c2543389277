import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { systemClock } from "../../lib/clock.ts";
import { emptyDataDirectory } from "./data-directory.ts";
import type { DemoFile } from "./demo/demo-file.ts";
import { prepareDemo } from "./demo/prepare-demo.ts";
import { createLocalClient, type OwnStore, openStore } from "./engine.ts";
import type { FunctionPool } from "./function-pool.ts";
import { startPools } from "./function-pools.ts";
import { createGateway, type Gateway, type MutualTls } from "./gateway.ts";
import { type Issuer, startIssuer } from "./issuer.ts";
import { LOCAL_STAGE, localStageSettings } from "./local-stage.ts";
import { processEnvironment, type StartOptions } from "./options.ts";
import { claimPort, claimTlsPort, reachableHost, refusePort } from "./port.ts";
import type { StartError } from "./start-error.ts";
import { writeStartNote } from "./start-note.ts";
import { synthesize } from "./synthesis.ts";
import { createTables, dropTables } from "./tables.ts";
import { type Application, readApplication } from "./template.ts";
import { type LocalAuthority, openAuthority } from "./tls/local-authority.ts";

const projectRoot = join(import.meta.dirname, "../..");
const cacheDirectory = join(projectRoot, "node_modules/.cache/countinghouse");
const clock = systemClock;

export interface Service {
  readonly application: Application;
  readonly demo: DemoFile;
  /** Lines for the person at the terminal about what is served now and was to be otherwise. */
  readonly warnings: readonly string[];
  /** Answers what is in flight, ends the functions, and closes the store. */
  close(): Promise<void>;
}

/** Receives lines while it starts and runs: what takes time, and what the functions print. */
export interface Reporter {
  readonly progress: (line: string) => void;
  readonly log: (functionName: string, line: string) => void;
  /** Told when the store can keep nothing any more: what runs on it has to end. */
  readonly broken?: (reason: StartError) => void;
}

/**
 * Starts everything that `npm start` runs, and returns once requests are answered. Throws a `StartError` for what the
 * person who started it can mend; whatever was already running is then ended again.
 */
export async function startService(
  options: StartOptions,
  { progress, log, broken }: Reporter,
): Promise<Service> {
  await using running = new AsyncDisposableStack();
  const { dataDir, brand, host } = options;
  const { basePath } = brand;
  const port = await claimPort(options.port, host);
  const warnings: string[] = [];
  const tlsPort = await claimTlsPort(options, (line) => warnings.push(line));
  const store = await openData(options, broken, running);
  const application = readApplication(await synthesizeStage(options, progress));
  const client = await openTables(options, store, application, running);
  await writeStartNote(dataDir, { brand, engineEndpoint: options.engineEndpoint });
  const issuer = await startIssuer({ dataDir, clock });
  running.defer(() => issuer.close());
  const authority = await openAuthority({ dataDir, clock });
  const starting = startFunctions(application, store, issuer, log, running);
  const demo = await prepareDemo({
    dataDir,
    client,
    stage: LOCAL_STAGE,
    baseUrl: `http://${reachableHost(host)}:${port}${basePath}`,
    mutualTlsUrl: `https://${reachableHost(host)}:${tlsPort}${basePath}`,
    brand,
    clock,
    issuer,
    authority,
    warn: (line) => warnings.push(line),
  });
  const parts = { application, pools: await starting, basePath, clock, log };
  await open(createGateway(parts), { port, host, option: "--port" }, running);
  const tls = await mutualTlsOf(authority, host);
  await open(createGateway(parts, tls), { port: tlsPort, host, option: "--tls-port" }, running);
  const kept = running.move();
  return { application, demo, warnings, close: () => kept.disposeAsync() };
}

interface Place {
  readonly port: number;
  readonly host: string;
  readonly option: "--port" | "--tls-port";
}

async function open(
  gateway: Gateway,
  { port, host, option }: Place,
  running: AsyncDisposableStack,
): Promise<void> {
  await gateway.listen(port, host).catch((error: unknown) => refusePort(error, port, host, option));
  running.defer(() => gateway.close());
}

/** The local authority has certified the gateway, and is the only one whose clients it lets in. */
async function mutualTlsOf(authority: LocalAuthority, host: string): Promise<MutualTls> {
  const { certificate, key } = await authority.issueForServer(host);
  return { cert: certificate, key, ca: authority.certificate };
}

async function openData(
  options: StartOptions,
  onBroken: Reporter["broken"],
  running: AsyncDisposableStack,
): Promise<OwnStore> {
  const { dataDir, engineEndpoint, isFresh, behaviour } = options;
  if (isFresh) await emptyDataDirectory(dataDir);
  const store = await openStore(dataDir, {
    kind: "gateway",
    behaviour,
    ...(onBroken && { onBroken }),
    ...(engineEndpoint && { endpoint: engineEndpoint }),
  });
  running.defer(() => store.close());
  return store;
}

function synthesizeStage(options: StartOptions, report: Reporter["progress"]): Promise<string> {
  const stage = localStageSettings(options);
  return synthesize({ projectRoot, cacheDirectory, stage, environment: processEnvironment, clock, report });
}

/** Tables of another engine outlive the data directory, so a fresh start has to remove them there. */
async function openTables(
  { engineEndpoint, isFresh }: StartOptions,
  store: OwnStore,
  { tables }: Application,
  running: AsyncDisposableStack,
): Promise<DynamoDBClient> {
  const client = createLocalClient(store);
  running.defer(() => client.destroy());
  if (isFresh && engineEndpoint !== undefined) await dropTables(client, tables);
  await createTables(client, tables);
  return client;
}

/** Loads the bundles while the demo is written. The template cannot know where this start's issuer listens. */
function startFunctions(
  application: Application,
  store: OwnStore,
  { jwksUrl }: Issuer,
  log: Reporter["log"],
  running: AsyncDisposableStack,
): Promise<ReadonlyMap<string, FunctionPool>> {
  const overrides = { TOKEN_JWKS_URL: jwksUrl };
  const starting = startPools({ application, store, overrides, clock, log });
  running.defer(async () => {
    for (const pool of (await starting).values()) await pool.close();
  });
  return starting;
}
