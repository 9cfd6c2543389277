import { contractBrand as brand } from "../../../lib/brand.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import { ClockShift } from "../../../local/clock/clock-shift.ts";
import { admitCallers } from "../../../local/demo/prepare-demo.ts";
import { createGateway } from "../../../local/gateway/gateway.ts";
import { type Issuer, startIssuer } from "../../../local/identity/issuer.ts";
import { openAuthority } from "../../../local/identity/local-authority.ts";
import { type Pools, startPools } from "../../../local/runtime/function-pools.ts";
import type { PrivateFileName } from "../../../local/store/data-files.ts";
import { type MemoryStore, openMemoryStore } from "../../../local/store/memory-store.ts";
import { LOCAL_STAGE } from "../../../local/template/local-stage.ts";
import type { Application } from "../../../local/template/template.ts";
import { BaseContents } from "../../../publish/embed/base-content.ts";
import { makeAuthority } from "../../../publish/embed/house-authority.ts";
import type { Credentials } from "../../../publish/embed/types.ts";
import { credentialsOf } from "../../../publish/embed/world.ts";
import { worldFiles } from "../../../publish/embed/world-files.ts";
import { ask, type FaultyAnswer, type More } from "./ask-endpoint.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { faultyApplication, toldClock, withFragile } from "./faulty-application.ts";
import { LineLog } from "./line-log.ts";
import { type EndpointName, LIMIT_MS } from "./outcomes.ts";

/**
 * The service with the deployed bundles in threads, behind the local gateway, in front of a strict store and a token
 * issuer, each behind a proxy in which everything can go wrong.
 */
export interface FaultyStack {
  readonly store: FaultProxy;
  readonly issuer: FaultProxy;
  readonly clocks: Clocks;
  /** All lines so far, as they were printed. */
  readonly lines: readonly string[];
  readonly credentials: Credentials;
  /** The same issuer after a rotation: its key set, and tokens, are of another key. */
  readonly rotated: Issuer;
  /** A token for what the demo's token allows on an endpoint. */
  mint(endpoint: EndpointName, by: Minting): Promise<string>;
  /** Replaces all environments by new ones, which remember nothing. */
  renew(): Promise<void>;
  /** Replaces them by some with little memory that end in the middle of a request whose header says how. */
  renewWithFragile(): Promise<void>;
  ask(endpoint: EndpointName, more?: More): Promise<FaultyAnswer>;
  close(): Promise<void>;
}

/** How a token is made: by which issuer, and for how many seconds. */
interface Minting {
  readonly issuer?: Issuer;
  readonly lifeS?: number;
}

/** The clock of the functions, and that of everybody else. */
class Clocks {
  /** How far the functions' clock is from the machine's. */
  readonly shift = new ClockShift();
  #passedMs = 0;

  /** The clock of callers, store and issuer. */
  readonly clock: Clock = () => systemClock() + this.#passedMs;

  /** Moves every clock on. */
  pass(ms: number): void {
    this.#passedMs += ms;
    this.shift.ms += ms;
  }

  /** Sets how far the functions' clock is ahead of the others; 0 for a right one. */
  setAhead(ms: number): void {
    this.shift.ms = this.#passedMs + ms;
  }
}

/** Starts the stack, in which nothing is wrong yet. */
export async function startFaultyStack(): Promise<FaultyStack> {
  await using running = new AsyncDisposableStack();
  const startedMs = systemClock();
  const clocks = new Clocks();
  const { clock } = clocks;
  const log = new LineLog();
  const application = await faultyApplication(LIMIT_MS);
  const behind = await startBehind(application, clock, running);
  const { issuer } = behind;
  const proxies = await startProxies(behind, running);
  const { pools, renew } = openFunctions({ behind, proxies, clocks, log }, running);
  await renew(application);
  const gateway = createGateway({ application, pools, basePath: brand.basePath, clock, log: log.take });
  const baseUrl = `http://127.0.0.1:${await gateway.listen(0, "127.0.0.1")}${brand.basePath}`;
  running.defer(() => gateway.close());
  const credentials = await behind.admit(baseUrl);
  const rotated = await startRotated(clock, running);
  const kept = running.move();
  return {
    ...proxies,
    clocks,
    credentials,
    rotated,
    lines: log.lines,
    mint: (endpoint, by) => mintFor(endpoint, credentials, { issuer, ...by }),
    renew: () => renew(application),
    renewWithFragile: () => renew(withFragile(application)),
    ask: (endpoint, more) => ask({ baseUrl, credentials, clock, log, startedMs }, endpoint, more),
    close: () => kept.disposeAsync(),
  };
}

interface Proxies {
  readonly store: FaultProxy;
  readonly issuer: FaultProxy;
}

async function startProxies({ store, issuer }: Behind, running: AsyncDisposableStack): Promise<Proxies> {
  const [storeProxy, issuerProxy] = await Promise.all([
    startFaultProxy(store.endpoint),
    startFaultProxy(new URL(issuer.jwksUrl).origin),
  ]);
  running.defer(async () => void (await Promise.all([storeProxy.close(), issuerProxy.close()])));
  return { store: storeProxy, issuer: issuerProxy };
}

interface FunctionParts {
  readonly behind: Behind;
  readonly proxies: Proxies;
  readonly clocks: Clocks;
  readonly log: LineLog;
}

/** The functions' environments: none until `renew` has started those of an application, in place of earlier ones. */
function openFunctions(
  { behind: { store, issuer }, proxies, clocks: { shift }, log }: FunctionParts,
  running: AsyncDisposableStack,
): { readonly pools: Pools; readonly renew: (application: Application) => Promise<void> } {
  const pools: Pools = new Map();
  const endAll = async (): Promise<void> =>
    void (await Promise.all([...pools.values()].map((pool) => pool.close())));
  running.defer(endAll);
  const renew = async (application: Application): Promise<void> => {
    await endAll();
    const next = await startPools({
      application,
      store: { endpoint: proxies.store.url, admit: store.admit },
      overrides: { TOKEN_JWKS_URL: `${proxies.issuer.url}${new URL(issuer.jwksUrl).pathname}` },
      clock: toldClock(shift),
      clockShift: shift,
      log: log.take,
    });
    for (const [name, pool] of next) pools.set(name, pool);
  };
  return { pools, renew };
}

interface Behind {
  readonly store: MemoryStore;
  readonly issuer: Issuer;
  /** Makes every caller of the demo known. */
  readonly admit: (baseUrl: string) => Promise<Credentials>;
}

/** Starts the store with the demo's records, and the issuer. */
async function startBehind(
  { tables }: Application,
  clock: Clock,
  running: AsyncDisposableStack,
): Promise<Behind> {
  const report = (error: unknown): void => {
    throw error;
  };
  const content = await new BaseContents(report).of({
    tables,
    brand,
    atMs: systemClock(),
    isExact: true,
    hasDemo: true,
  });
  const store = await openMemoryStore({ clock, report });
  running.defer(() => store.close());
  await store.content.replace(content.entries);
  const authority = await makeAuthority();
  const files: Map<PrivateFileName, string> = await worldFiles("faults", "faults", authority);
  const issuer = await startIssuer({ dataDir: files, clock });
  running.defer(() => issuer.close());
  const admit = async (baseUrl: string): Promise<Credentials> => {
    const demo = await admitCallers(
      {
        client: store.client,
        stage: LOCAL_STAGE,
        brand,
        clock,
        dataDir: files,
        baseUrl,
        mutualTlsUrl: baseUrl,
        issuer,
        authority: await openAuthority({ dataDir: files, clock }),
      },
      content.records,
    );
    return credentialsOf(demo, files);
  };
  return { store, issuer, admit };
}

async function startRotated(clock: Clock, running: AsyncDisposableStack): Promise<Issuer> {
  const rotated = await startIssuer({ dataDir: new Map(), clock });
  running.defer(() => rotated.close());
  return rotated;
}

function mintFor(
  endpoint: EndpointName,
  { business, passes }: Credentials,
  { issuer, lifeS }: Minting & { readonly issuer: Issuer },
): Promise<string> {
  const claims =
    endpoint === "get-pass"
      ? { subject: passes.walletId, scope: "passes.read", audience: passes.audience }
      : { subject: business.id, scope: "transactions.read" };
  return issuer.mintToken({ ...claims, ...(lifeS !== undefined && { lifeS }) });
}
