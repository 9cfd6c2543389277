import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { emptyDataDirectory } from "./data-directory.ts";
import type { DemoFile } from "./demo/demo-file.ts";
import { prepareDemo } from "./demo/prepare-demo.ts";
import { createLocalClient, openStore } from "./engine.ts";
import { startPools } from "./function-pools.ts";
import { createGateway } from "./gateway.ts";
import { startIssuer } from "./issuer.ts";
import { LOCAL_STAGE, localStageSettings } from "./local-stage.ts";
import { processEnvironment, type StartOptions } from "./options.ts";
import { StartError } from "./start-error.ts";
import { synthesize } from "./synthesis.ts";
import { createTables, dropTables } from "./tables.ts";
import { type Application, readApplication } from "./template.ts";

const projectRoot = join(import.meta.dirname, "../..");
const cacheDirectory = join(projectRoot, "node_modules/.cache/countinghouse");

export interface Service {
  readonly application: Application;
  readonly demo: DemoFile;
  /** Answers what is in flight, ends the functions, and closes the store. */
  close(): Promise<void>;
}

/** Receives lines for the person at the terminal: what takes time, and what the functions print. */
export interface Reporter {
  readonly progress: (line: string) => void;
  readonly log: (functionName: string, line: string) => void;
}

/**
 * Starts everything that `npm start` runs, and returns once requests are answered. Throws a `StartError` for what the
 * person who started it can mend; whatever was already running is then ended again.
 */
export async function startService(options: StartOptions, { progress, log }: Reporter): Promise<Service> {
  await using running = new AsyncDisposableStack();
  const clock = systemClock;
  const { dataDir, brand, host, engineEndpoint, isFresh } = options;
  const port = await claimPort(options.port, host);
  if (isFresh) await emptyDataDirectory(dataDir);
  const store = await openStore(dataDir, {
    kind: "gateway",
    ...(engineEndpoint && { endpoint: engineEndpoint }),
  });
  running.defer(() => store.close());
  const stage = localStageSettings(brand);
  const assembly = await synthesize({
    projectRoot,
    cacheDirectory,
    stage,
    environment: processEnvironment,
    report: progress,
  });
  const application = readApplication(assembly);
  const client = createLocalClient(store.endpoint);
  running.defer(() => client.destroy());
  if (isFresh) await dropTables(client, application.tables);
  await createTables(client, application.tables);
  const issuer = await startIssuer({ dataDir, clock });
  running.defer(() => issuer.close());
  const overrides = { TOKEN_JWKS_URL: issuer.jwksUrl };
  const starting = startPools({ application, engineEndpoint: store.endpoint, overrides, clock, log });
  running.defer(
    async () => void (await Promise.all([...(await starting).values()].map((pool) => pool.close()))),
  );
  const baseUrl = `http://${urlHost(host)}:${port}${brand.basePath}`;
  const demo = await prepareDemo({
    dataDir,
    client,
    stage: LOCAL_STAGE,
    baseUrl,
    brand,
    clock,
    issuer,
    warn: progress,
  });
  const gateway = createGateway({ application, pools: await starting, basePath: brand.basePath, clock, log });
  await gateway.listen(port, host).catch((error: unknown) => refusePort(error, port, host));
  running.defer(() => gateway.close());
  const kept = running.move();
  return { application, demo, close: () => kept.disposeAsync() };
}

/** Finds out now, and not after the synthesis, that a port is taken; and which one it is when any will do. */
async function claimPort(port: number, host: string): Promise<number> {
  const probe = createServer();
  probe.listen(port, host);
  await once(probe, "listening").catch((error: unknown) => refusePort(error, port, host));
  const { port: claimed } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return claimed;
}

function refusePort(error: unknown, port: number, host: string): never {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken. Stop what uses it, or choose another with --port.`,
    EACCES: `Port ${port} needs rights that you do not have. Choose one from 1024 up with --port.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Choose another with --host.`,
    ENOTFOUND: `${host} is no address of this machine. Choose another with --host.`,
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""];
  throw reason === undefined ? error : new StartError(reason);
}

/** An address that means "all of them" is none that a client can call. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}
