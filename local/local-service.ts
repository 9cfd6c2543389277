import { setTimeout as pause } from "node:timers/promises";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Brand } from "../lib/brand.ts";
import { systemClock } from "../lib/clock.ts";
import { type CompanionParts, createCompanion } from "./companion.ts";
import { type ServedRoute, serveRoute } from "./control/control-route.ts";
import { type ControlOptions, startControl } from "./control/control-server.ts";
import type { DemoFile } from "./demo/demo-file.ts";
import { FirstTrades } from "./demo/first-trades.ts";
import { type DemoParts, prepareDemo } from "./demo/prepare-demo.ts";
import { continueDemoTrades } from "./demo/trades.ts";
import { type Faults, faultRoutes, openFaults } from "./faults/faults.ts";
import { frontPage, openApiPage } from "./front-page/front-page.ts";
import type { Companion } from "./gateway/exchange.ts";
import { hostRule } from "./gateway/host-rule.ts";
import { mutualTlsOf, openGateways } from "./gateway/open-gateways.ts";
import type { Page } from "./gateway/page.ts";
import {
  type ClaimedPort,
  claimPort,
  claimQueuePort,
  claimTlsPort,
  exposureWarnings,
  isLoopback,
  reachableHost,
} from "./gateway/port.ts";
import { Turnstile } from "./gateway/turnstile.ts";
import { explanationsOf, History } from "./history/history.ts";
import { type Issuer, startIssuer } from "./identity/issuer.ts";
import { openAuthority } from "./identity/local-authority.ts";
import { HANDED_OUT_MS } from "./identity/local-identity.ts";
import { places } from "./installation.ts";
import type { RequestReport } from "./log/request-line.ts";
import { defaultDataDir, processEnvironment, type ServiceOptions } from "./options.ts";
import { type OpenPage, openPage } from "./page/open-page.ts";
import type { StartError } from "./process/start-error.ts";
import {
  type OpenQueues,
  openQueues,
  type QueueAddresses,
  type QueuesOptions,
  queueAddresses,
} from "./queue/open-queues.ts";
import { dropDeletedMessages } from "./queue/queue-routes.ts";
import { FreshItems } from "./reset/fresh-items.ts";
import { resetRoute } from "./reset/reset-routes.ts";
import { StoreReset } from "./reset/store-reset.ts";
import {
  openUncheckedPools,
  type Pools,
  type PoolsOptions,
  prepareRenewal,
  type Renewal,
} from "./runtime/function-pools.ts";
import { emptyDataDirectory, mendModes } from "./store/data-directory.ts";
import { createLocalClient, hasStore, isFillable, type OwnStore, openStore } from "./store/engine.ts";
import { writeStartNote } from "./store/start-note.ts";
import { createTables, dropTables } from "./store/tables.ts";
import { localApplication } from "./template/local-application.ts";
import { LOCAL_STAGE } from "./template/local-stage.ts";
import type { Application } from "./template/template.ts";

const clock = systemClock;

/** How long after a start its functions are loaded that no request has asked for. */
const CHECK_AFTER_MS = 500;

export interface Service {
  readonly application: Application;
  readonly demo: DemoFile;
  /** The instant until which all tokens and certificates are valid, in epoch milliseconds. */
  readonly holdsUntilMs: number;
  /** Where programs find the queues; absent where the template has none. */
  readonly queues: QueueAddresses | undefined;
  /**
   * Resolves when the bundle of every function has loaded: requests are answered before, as soon as theirs has. Rejects
   * with a `StartError` for bundles that do not load.
   */
  readonly loaded: Promise<void>;
  /** Lines for the user about settings that this start could not follow. */
  readonly warnings: readonly string[];
  /** Lets the store's thread give back the memory that only a start needs. */
  readonly rest: () => void;
  /** Finishes the answers under way, for some seconds at most, ends the functions, and closes the store. */
  close(): Promise<void>;
}

/** Receives lines while the service starts and runs: its progress, and the output of the functions. */
export interface Reporter {
  readonly progress: (line: string) => void;
  readonly log: (functionName: string, line: string) => void;
  /** Called for each request, before its answer is sent; unless given, hints for callers go to `log`. */
  readonly answered?: (report: RequestReport) => void;
  /** Called when the store can keep nothing any more, so that the service has to end. */
  readonly broken?: (reason: StartError) => void;
}

/**
 * Starts everything that `npm start` runs, and returns once requests are answered. Throws a `StartError` for what the
 * user can fix, after it has ended everything that was already running.
 */
export async function startService(options: ServiceOptions, reporter: Reporter): Promise<Service> {
  await using running = new AsyncDisposableStack();
  const { dataDir, brand, host } = options;
  const { basePath } = brand;
  const history = new History(brand);
  const page = openPageOf(options, reporter, running);
  const { progress, broken, log, answered } = rememberingIn(history, reporter, page);
  const warnings: string[] = [...exposureWarnings(options)];
  const plain = await claimPort(options.port, host);
  running.defer(plain.release);
  const secure = await claimTlsPort(options, (line) => warnings.push(line));
  running.defer(secure.release);
  const { store, first } = await openData(options, broken, running);
  const application = await openApplication(options, progress);
  const { client, isNew } = await openTables(options, store, application, running);
  await writeStartNote(dataDir, { brand, engineEndpoint: options.engineEndpoint });
  const holdsUntilMs = clock() + HANDED_OUT_MS;
  const issuer = await startIssuer({ dataDir, clock });
  running.defer(() => issuer.close());
  const authority = await openAuthority({ dataDir, clock });
  const queuePort = await claimedForQueues(options, application, warnings, running);
  const functions = functionsOf(store, issuer, log, endpointOf(host, queuePort));
  const { pools, check } = await openUncheckedPools({ application, ...functions }, running);
  const demoParts: DemoParts = {
    dataDir,
    client,
    stage: LOCAL_STAGE,
    baseUrl: `http://${reachableHost(host)}:${plain.port}${basePath}`,
    mutualTlsUrl: `https://${reachableHost(host)}:${secure.port}${basePath}`,
    brand,
    clock,
    issuer,
    authority,
    warn: (line) => warnings.push(line),
  };
  if (isNew) progress("Writing the demo's records and trades into the new store …");
  const demo = await prepareDemo({ ...demoParts, ...(isNew && { isEmpty: true, first }) });
  const fresh = new FreshItems({ ...demoParts, dataDir, tables: application.tables });
  if (isNew) await fresh.keep(client);
  // The store begins to throttle and to lose answers only now, so that the demo is complete.
  store.stir();
  const isOwnHost = hostRule([host, ...options.allowedHosts]);
  const companion = companionOf(options, { application, calls: store.calls, answered, isOwnHost });
  const live = { application, ...functions, pools };
  const faults = openFaults(live, basePath, running);
  const turnstile = new Turnstile();
  const pages = await pagesOf(demo.baseUrl, brand);
  const queues = await queuesOf(queuePort, options, { ...live, isOwnHost, progress }, running);
  const reset = openReset(live, demoParts, { fresh, turnstile, faults, queues });
  const parts = { ...live, pages, basePath, isOwnHost, interfere: faults.interfere, turnstile, companion };
  const openApi = pages.get("/openapi.json")?.text ?? "";
  const desk = page?.desk({ demoParts, openApi, faults, history, reset, isOwnHost, basePath });
  await openGateways(parts, await mutualTlsOf(authority, host), { host, plain, secure, desk }, running);
  const routes = controlRoutes({ faults, history, reset, queues });
  await openControl({ dataDir, routes, log: (line) => log("control", line), queues }, running);
  const loaded = checkLater(check, running);
  // Whoever does not await it, asks a function and hears of it.
  loaded.catch(() => {});
  const kept = running.move();
  const close = () => kept.disposeAsync();
  return { application, demo, holdsUntilMs, queues, warnings, loaded, rest: store.rest, close };
}

/** Checks the functions once whoever waited for the start has had time to ask one: nobody waits for the others. */
async function checkLater(check: () => Promise<void>, running: AsyncDisposableStack): Promise<void> {
  const ending = new AbortController();
  running.defer(() => ending.abort());
  const { signal } = ending;
  await pause(CHECK_AFTER_MS, undefined, { signal, ref: false }).then(check, () => {});
}

/** What the operator's commands may ask of the running service. */
function controlRoutes({ faults, history, reset, queues }: Steered): readonly ServedRoute[] {
  const drop = (): object => {
    queues?.dropDeleted();
    return {};
  };
  return [
    ...faultRoutes(faults),
    explanationsOf(history),
    serveRoute(resetRoute, () => reset.run()),
    serveRoute(dropDeletedMessages, drop),
  ];
}

interface Steered {
  readonly faults: Faults;
  readonly history: History;
  readonly reset: StoreReset;
  readonly queues: OpenQueues | undefined;
}

async function openControl(options: ControlOptions, running: AsyncDisposableStack): Promise<void> {
  const control = await startControl(options);
  running.defer(() => control.close());
}

/** The texts that are served beside the endpoints, by path. */
async function pagesOf(baseUrl: string, brand: Brand): Promise<ReadonlyMap<string, Page>> {
  return new Map([
    ["/", frontPage(baseUrl, brand)],
    ["/openapi.json", await openApiPage(baseUrl, brand)],
  ]);
}

/** The page, unless it is not wanted. */
function openPageOf(
  { hasPage }: ServiceOptions,
  { log, progress }: Reporter,
  running: AsyncDisposableStack,
): OpenPage | undefined {
  if (!hasPage) return undefined;
  const page = openPage({
    place: places.page,
    environment: processEnvironment,
    clock,
    log: (line) => log("page", line),
    report: progress,
  });
  running.defer(() => page.close());
  return page;
}

function companionOf(
  { brand, dataDir }: ServiceOptions,
  parts: Omit<CompanionParts, "brand" | "isDefaultData">,
): Companion {
  return createCompanion({ ...parts, brand, isDefaultData: dataDir === defaultDataDir() });
}

/** A reporter whose lines and answers are remembered as well. Hints go to its log unless it takes whole answers. */
function rememberingIn(history: History, reporter: Reporter, page: OpenPage | undefined) {
  const { log, answered = logHints(log) } = reporter;
  return {
    ...reporter,
    log: (name: string, line: string): void => {
      history.hear(line);
      log(name, line);
    },
    answered: (report: RequestReport): void => {
      history.answered(report);
      page?.answered(report);
      answered(report);
    },
  };
}

const logHints =
  (log: Reporter["log"]) =>
  ({ exchange, hints }: RequestReport): void => {
    for (const hint of hints) log("gateway", `${exchange.requestId} warning: ${hint}`);
  };

/** The trades of a first start, begun before there is a table for them; undefined when the store cannot take them. */
async function firstTradesOf(
  { dataDir, engineEndpoint, isFresh, behaviour }: ServiceOptions,
  running: AsyncDisposableStack,
): Promise<FirstTrades | undefined> {
  const isEmpty = isFresh || !(await hasStore(dataDir));
  if (
    !isEmpty ||
    !isFillable({ behaviour, ...(engineEndpoint !== undefined && { endpoint: engineEndpoint }) })
  )
    return undefined;
  const first = new FirstTrades(clock());
  running.defer(() => first.end());
  return first;
}

async function openData(
  options: ServiceOptions,
  onBroken: Reporter["broken"],
  running: AsyncDisposableStack,
): Promise<{ readonly store: OwnStore; readonly first: DemoParts["first"] }> {
  const { dataDir, engineEndpoint, isFresh, behaviour } = options;
  const trades = await firstTradesOf(options, running);
  if (isFresh) await emptyDataDirectory(dataDir);
  const store = await openStore(dataDir, {
    kind: "gateway",
    behaviour,
    ...(onBroken !== undefined && { onBroken }),
    ...(engineEndpoint !== undefined && { endpoint: engineEndpoint }),
  });
  running.defer(() => store.close());
  await mendModes(dataDir);
  return { store, first: trades && { trades, fill: store.fill } };
}

function openApplication(options: ServiceOptions, report: Reporter["progress"]): Promise<Application> {
  const { dataDir } = options;
  return localApplication(options, { dataDir, environment: processEnvironment, clock, report });
}

/** Tables of another engine outlive the data directory, so a fresh start has to remove them there. */
async function openTables(
  { engineEndpoint, isFresh }: ServiceOptions,
  store: OwnStore,
  { tables }: Application,
  running: AsyncDisposableStack,
): Promise<{ readonly client: DynamoDBClient; readonly isNew: boolean }> {
  const client = createLocalClient(store);
  running.defer(() => client.destroy());
  if (isFresh && engineEndpoint !== undefined) await dropTables(client, tables);
  const created = await createTables(client, tables);
  return { client, isNew: created === tables.length };
}

/** What each function's environment needs. The issuer's port changes with each start, so the template lacks it. */
function functionsOf(
  store: OwnStore,
  { jwksUrl }: Issuer,
  log: Reporter["log"],
  queuesEndpoint: string | undefined,
): Omit<Live, "application" | "pools"> {
  return { store, overrides: { TOKEN_JWKS_URL: jwksUrl }, queuesEndpoint, clock, log };
}

/** The functions as they run, and what new environments of theirs need. */
interface Live extends PoolsOptions {
  readonly store: OwnStore;
  readonly pools: Pools;
}

function openReset(
  live: Live,
  demo: DemoParts,
  others: {
    readonly fresh: FreshItems;
    readonly turnstile: Turnstile;
    readonly faults: Faults;
    readonly queues: OpenQueues | undefined;
  },
): StoreReset {
  const { tables } = live.application;
  const { client, stage } = demo;
  const { fresh, turnstile, faults, queues } = others;
  return new StoreReset({
    client,
    tables,
    stage,
    fresh,
    turnstile,
    ownerWrites: () => live.store.ownerWrites(),
    prepareRenewal: () => renewalOf(live, queues),
    continueTrades: () => continueDemoTrades(demo),
    conclude: async () => {
      await faults.clear();
      // The records may be of another day than before, and so is what the file says of them.
      await prepareDemo(demo);
    },
    clock: () => performance.now(),
  });
}

/** A port for the queues of a template; undefined for a template without any. */
async function claimedForQueues(
  options: ServiceOptions,
  { queues }: Application,
  warnings: string[],
  running: AsyncDisposableStack,
): Promise<ClaimedPort | undefined> {
  if (queues.length === 0) return undefined;
  const claimed = await claimQueuePort(options, (line) => warnings.push(line));
  running.defer(claimed.release);
  const { host } = options;
  if (!isLoopback(host))
    warnings.push(
      `Everybody who reaches ${host} can send records of any owner to the queue on port ${claimed.port}.`,
    );
  return claimed;
}

const endpointOf = (host: string, claimed: ClaimedPort | undefined): string | undefined =>
  claimed && `${queueAddresses(host, claimed.port).endpoint}/`;

async function queuesOf(
  claimed: ClaimedPort | undefined,
  { dataDir, host, queueRetryS: retryS }: ServiceOptions,
  parts: Pick<QueuesOptions, "application" | "pools" | "isOwnHost" | "log" | "progress">,
  running: AsyncDisposableStack,
): Promise<OpenQueues | undefined> {
  if (claimed === undefined) return undefined;
  return await openQueues({ ...parts, dataDir, host, claimed, retryS }, running);
}

/** The renewal of a reset, which also removes the messages that would bring records of before. */
async function renewalOf(live: Live, queues: OpenQueues | undefined): Promise<Renewal> {
  const renewal = await prepareRenewal(live.pools, live);
  const bar = async (): Promise<void> => {
    await renewal.bar();
    queues?.purge();
  };
  return { ...renewal, bar };
}
