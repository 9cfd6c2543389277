import { setTimeout as pause } from "node:timers/promises";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { systemClock } from "../lib/clock.ts";
import { createCompanion } from "./companion.ts";
import { serveRoute } from "./control/control-route.ts";
import { startControl } from "./control/control-server.ts";
import type { DemoFile } from "./demo/demo-file.ts";
import { FirstTrades } from "./demo/first-trades.ts";
import { type DemoParts, prepareDemo } from "./demo/prepare-demo.ts";
import { continueDemoTrades } from "./demo/trades.ts";
import { type Faults, faultRoutes, openFaults } from "./faults/faults.ts";
import { frontPages } from "./front-page/front-page.ts";
import { type HostRule, hostRule } from "./gateway/host-rule.ts";
import { mutualTlsOf, openGateways } from "./gateway/open-gateways.ts";
import {
  type ClaimedPort,
  claimPort,
  claimTlsPort,
  exposureWarnings,
  reachableHost,
} from "./gateway/port.ts";
import { Turnstile } from "./gateway/turnstile.ts";
import { explanationsOf, History } from "./history/history.ts";
import { type Issuer, startIssuer } from "./identity/issuer.ts";
import { type LocalAuthority, openAuthority } from "./identity/local-authority.ts";
import { commands, places } from "./installation.ts";
import type { RequestReport } from "./log/request-line.ts";
import { defaultDataDir, processEnvironment, type ServiceOptions } from "./options.ts";
import { type OpenPage, openPage } from "./page/open-page.ts";
import type { StartError } from "./process/start-error.ts";
import {
  claimForQueues,
  type OpenQueues,
  openQueues,
  type QueueAddresses,
  queueAddresses,
} from "./queue/open-queues.ts";
import { dropDeletedMessages } from "./queue/queue-routes.ts";
import { FreshItems } from "./reset/fresh-items.ts";
import { resetRoute } from "./reset/reset-routes.ts";
import { StoreReset } from "./reset/store-reset.ts";
import {
  openUncheckedPools,
  type PoolsOptions,
  prepareRenewal,
  type Renewal,
  type UncheckedPools,
} from "./runtime/function-pools.ts";
import { emptyDataDirectory, mendModes } from "./store/data-directory.ts";
import { createLocalClient, hasStore, isFillable, type OwnStore, openStore } from "./store/engine.ts";
import { writeStartNote } from "./store/start-note.ts";
import { createTables, dropTables } from "./store/tables.ts";
import { localApplication } from "./template/local-application.ts";
import { LOCAL_STAGE } from "./template/local-stage.ts";
import type { Application } from "./template/template.ts";
import { ServiceTime } from "./time/service-time.ts";
import { type MoveTime, timeRoute } from "./time/time-routes.ts";
import { Tomorrow } from "./tomorrow/tomorrow.ts";

/** How long after a start the functions are loaded that no request has called by then. */
const CHECK_AFTER_MS = 500;

export interface Service {
  readonly application: Application;
  readonly demo: DemoFile;
  /** Where programs find the queues; absent where the template has none. */
  readonly queues: QueueAddresses | undefined;
  /**
   * Resolves when the bundle of every function has loaded. A request is answered earlier, as soon as the bundle of its
   * own function has. Rejects with a `StartError` for bundles that do not load.
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
 * user can fix, after it has ended everything that was already running. Each step adds parts to those of the steps before,
 * which its type names, so that none can be taken earlier.
 */
export async function startService(options: ServiceOptions, reporter: Reporter): Promise<Service> {
  await using running = new AsyncDisposableStack();
  const warnings = [...exposureWarnings(options)];
  const time = new ServiceTime(options.dataDir);
  const start: Start = { options, running, time, warn: (line) => void warnings.push(line) };
  const witnessed = openWitness(start, reporter);
  const claimed = await claimPorts(witnessed);
  const held = await openData(claimed);
  const modelled = await openTables(held);
  const identified = await openIdentity(modelled);
  const filled = await fillStore(identified);
  const working = await openFunctions(filled);
  const steered = await openSteering(working);
  await serve(steered);
  await openControl(steered);
  const loaded = checkLater(working);
  // Not every caller awaits it: a request to a function that does not load tells of the fault as well.
  loaded.catch(() => {});
  const kept = running.move();
  const { application, demo, queues, store } = steered;
  const close = () => kept.disposeAsync();
  return { application, demo, queues, warnings, loaded, rest: store.rest, close };
}

/** The parts with which the first step begins. */
interface Start {
  readonly options: ServiceOptions;
  /** Ends the parts when the start fails, or when the service is closed: the last one first. */
  readonly running: AsyncDisposableStack;
  /** The machine's until the data directory is held. */
  readonly time: ServiceTime;
  readonly warn: (line: string) => void;
}

/** A start that tells what happens: the history has each line and each answer of the functions before the reporter. */
interface Witnessed extends Start, Required<Pick<Reporter, "progress" | "log" | "answered">> {
  readonly broken: Reporter["broken"];
  readonly history: History;
  /** Absent when it is not wanted. */
  readonly page: OpenPage | undefined;
}

function openWitness(start: Start, reporter: Reporter): Witnessed {
  const { options, running } = start;
  const { progress, log, broken, answered = logHints(log) } = reporter;
  const history = new History(options.brand);
  const page = options.hasPage
    ? openPage({
        place: places.page,
        environment: processEnvironment,
        clock: systemClock,
        log: (line) => log("page", line),
        report: progress,
      })
    : undefined;
  running.defer(() => page?.close());
  const hear = (name: string, line: string): void => {
    history.hear(line);
    log(name, line);
  };
  const answer = (report: RequestReport): void => {
    history.answered(report);
    page?.answered(report);
    answered(report);
  };
  return { ...start, progress, broken, history, page, log: hear, answered: answer };
}

const logHints =
  (log: Reporter["log"]) =>
  ({ exchange, hints }: RequestReport): void => {
    const { requestId, response } = exchange;
    for (const hint of hints) log("gateway", `${requestId} warning: ${hint}`);
    if (response.scene !== undefined) log("gateway", `${requestId} tomorrow: ${response.scene}`);
  };

/** A start with its ports. */
interface Claimed extends Witnessed {
  readonly plain: ClaimedPort;
  /** For clients with certificates. */
  readonly secure: ClaimedPort;
}

async function claimPorts(witnessed: Witnessed): Promise<Claimed> {
  const { options, running, warn } = witnessed;
  const plain = await claimPort(options.port, options.host);
  running.defer(plain.release);
  const secure = await claimTlsPort(options, warn);
  running.defer(secure.release);
  return { ...witnessed, plain, secure };
}

/** A start that holds the data directory, with a store in which the demo may be missing. */
interface Held extends Claimed {
  readonly opened: OwnStore;
  /** The trades of a first start, which are packed while there is no table for them yet. */
  readonly first: DemoParts["first"];
}

async function openData(claimed: Claimed): Promise<Held> {
  const { options, running, time, warn, broken: onBroken } = claimed;
  const { dataDir, engineEndpoint: endpoint, isFresh, behaviour } = options;
  const engine = { behaviour, clockShift: time.shift, ...(endpoint !== undefined && { endpoint }) };
  const isFirst = (isFresh || !(await hasStore(dataDir))) && isFillable(engine);
  if (!isFresh) await time.resume();
  if (time.shift.ms > 0)
    warn(
      `The service's time was moved: it is ${new Date(time.clock()).toISOString()}. \`${commands.ops} demo reset\` brings the machine's back.`,
    );
  const trades = isFirst ? new FirstTrades(time.clock()) : undefined;
  running.defer(() => trades?.end());
  if (isFresh) await emptyDataDirectory(dataDir);
  const broken = onBroken !== undefined && { onBroken };
  const opened = await openStore(dataDir, { kind: "gateway", ...engine, ...broken });
  running.defer(() => opened.close());
  await mendModes(dataDir);
  return { ...claimed, opened, first: trades && { trades, fill: opened.fill } };
}

/** A start that knows what the template would deploy, and has its tables. */
interface Modelled extends Held {
  readonly application: Application;
  readonly client: DynamoDBClient;
  /** Whether this start has made all tables. */
  readonly isNew: boolean;
}

/** Tables of another engine outlive the data directory, so a fresh start has to remove them there. */
async function openTables(held: Held): Promise<Modelled> {
  const { options, running, progress: report } = held;
  const { brand, dataDir, engineEndpoint, isFresh } = options;
  const environment = processEnvironment;
  const around = { dataDir, environment, clock: systemClock, report };
  const application = await localApplication(options, around);
  const client = createLocalClient(held.opened);
  running.defer(() => client.destroy());
  if (isFresh && engineEndpoint !== undefined) await dropTables(client, application.tables);
  const created = await createTables(client, application.tables);
  await writeStartNote(dataDir, { brand, engineEndpoint, aheadMs: held.time.shift.ms });
  return { ...held, application, client, isNew: created === application.tables.length };
}

/** A start with the signers of tokens and certificates, and the port of the queues, if the template has any. */
interface Identified extends Modelled {
  readonly issuer: Issuer;
  readonly authority: LocalAuthority;
  readonly queuePort: ClaimedPort | undefined;
}

async function openIdentity(modelled: Modelled): Promise<Identified> {
  const { options, running, time, warn, application } = modelled;
  const { dataDir } = options;
  const issuer = await startIssuer({ dataDir, clock: time.clock });
  running.defer(() => issuer.close());
  const authority = await openAuthority({ dataDir, clock: systemClock, serviceClock: time.clock });
  const queuePort = application.queues.length > 0 ? await claimForQueues(options, warn) : undefined;
  running.defer(() => queuePort?.release());
  return { ...modelled, issuer, authority, queuePort };
}

/** A start with the whole demo in its store. */
interface Filled extends Omit<Identified, "opened" | "first"> {
  readonly store: OwnStore;
  readonly demo: DemoFile;
  readonly demoParts: DemoParts;
  readonly fresh: FreshItems;
}

async function fillStore(identified: Identified): Promise<Filled> {
  const { opened, first, ...kept } = identified;
  const { options, application, client, isNew, plain, secure, issuer, authority } = kept;
  const { brand, dataDir, host } = options;
  const at = (scheme: string, { port }: ClaimedPort) =>
    `${scheme}://${reachableHost(host)}:${port}${brand.basePath}`;
  const demoParts: DemoParts = {
    dataDir,
    client,
    stage: LOCAL_STAGE,
    baseUrl: at("http", plain),
    mutualTlsUrl: at("https", secure),
    brand,
    clock: kept.time.clock,
    issuer,
    authority,
    warn: kept.warn,
  };
  if (isNew) kept.progress("Writing the demo's records and trades into the new store …");
  const demo = await prepareDemo({ ...demoParts, ...(isNew && { isEmpty: true, first }) });
  // A reset brings back the machine's time.
  const fresh = new FreshItems({ ...demoParts, clock: systemClock, dataDir, tables: application.tables });
  if (isNew) await fresh.keep(client);
  // From here on the store throttles and loses answers, if the options say so: the demo is written without that.
  opened.stir();
  return { ...kept, store: opened, demo, demoParts, fresh };
}

/** A start with the functions, and with what new environments of them need. */
type Working = Filled & PoolsOptions & UncheckedPools & { readonly tomorrow: Tomorrow | undefined };

/** The issuer's port changes with each start, so the template lacks it. */
async function openFunctions(filled: Filled): Promise<Working> {
  const { options, running, time, issuer, queuePort } = filled;
  const tomorrow = options.isTomorrow === true ? new Tomorrow(time.clock) : undefined;
  const live = {
    ...filled,
    tomorrow,
    overrides: { TOKEN_JWKS_URL: issuer.jwksUrl, ...tomorrow?.variables },
    queuesEndpoint: queuePort && `${queueAddresses(options.host, queuePort.port).endpoint}/`,
    clock: time.clock,
    clockShift: time.shift,
  };
  return { ...live, ...(await openUncheckedPools(live, running)) };
}

/** Loads the functions that no request has called, a little after the start: a request that waited comes first. */
async function checkLater({ check, running }: Working): Promise<void> {
  const ending = new AbortController();
  running.defer(() => ending.abort());
  const { signal } = ending;
  await pause(CHECK_AFTER_MS, undefined, { signal, ref: false }).then(check, () => {});
}

/** The parts by which the operator's commands and the page steer the running service. */
interface Steering {
  readonly isOwnHost: HostRule;
  readonly faults: Faults;
  readonly queues: OpenQueues | undefined;
  readonly turnstile: Turnstile;
  readonly reset: StoreReset;
  readonly moveTime: MoveTime;
}

type Steered = Working & Steering;

async function openSteering(working: Working): Promise<Steered> {
  const { application, options, running, queuePort, store, demoParts } = working;
  const { allowedHosts, brand, dataDir, host, queueRetryS: retryS } = options;
  const isOwnHost = hostRule([host, ...allowedHosts]);
  const faults = openFaults(working, brand.basePath, running);
  const queues =
    queuePort &&
    (await openQueues({ ...working, isOwnHost, dataDir, host, claimed: queuePort, retryS }, running));
  const turnstile = new Turnstile();
  const reset = new StoreReset({
    ...demoParts,
    tables: application.tables,
    fresh: working.fresh,
    turnstile,
    ownerWrites: () => store.ownerWrites(),
    prepareRenewal: () => renewalOf(working, queues),
    resetTime: () => working.time.reset(),
    continueTrades: () => continueDemoTrades(demoParts),
    conclude: async () => {
      await faults.clear();
      working.tomorrow?.restart();
      // The records may be of another day than before, and so is what the file says of them.
      await prepareDemo(demoParts);
    },
    clock: () => performance.now(),
  });
  const moveTime = mover(working, turnstile);
  return { ...working, isOwnHost, faults, queues, turnstile, reset, moveTime };
}

function mover({ time, progress }: Working, turnstile: Turnstile): MoveTime {
  return async ({ to }) => {
    if (to !== undefined) {
      await turnstile.hold(() => time.move(to));
      progress(`The service's time is ${new Date(time.clock()).toISOString()} now.`);
    }
    return time.tell();
  };
}

/** The renewal of a reset. It also removes the messages in the queues, which would bring back records from before. */
async function renewalOf(working: Working, queues: OpenQueues | undefined): Promise<Renewal> {
  const renewal = await prepareRenewal(working.pools, working);
  const exchange: Renewal["exchange"] = (work) =>
    renewal.exchange(() => {
      queues?.purge();
      return work();
    });
  return { ...renewal, exchange };
}

/** Answers requests, with the pages, the helpers and the faults of this machine. */
async function serve(steered: Steered): Promise<void> {
  const { options, running, authority, demo, faults, store, page, tomorrow } = steered;
  const { brand, dataDir, host } = options;
  const { basePath } = brand;
  const { calls } = store;
  const pages = await frontPages(demo.baseUrl, brand);
  const isDefaultData = dataDir === defaultDataDir();
  const companion = createCompanion({ ...steered, brand, isDefaultData, calls });
  const desk = page?.desk({ ...steered, openApi: pages.get("/openapi.json")?.text ?? "", basePath });
  const interfere = tomorrow?.around(faults.interfere) ?? faults.interfere;
  const serving = { ...steered, pages, basePath, interfere, companion };
  await openGateways(serving, await mutualTlsOf(authority, host), { ...steered, host, desk }, running);
}

async function openControl({
  options,
  running,
  history,
  faults,
  reset,
  moveTime,
  queues,
  log,
}: Steered): Promise<void> {
  const drop = (): object => {
    queues?.dropDeleted();
    return {};
  };
  const control = await startControl({
    dataDir: options.dataDir,
    routes: [
      ...faultRoutes(faults),
      explanationsOf(history),
      serveRoute(resetRoute, () => reset.run()),
      serveRoute(timeRoute, moveTime),
      serveRoute(dropDeletedMessages, drop),
    ],
    log: (line) => log("control", line),
    queues,
  });
  running.defer(() => control.close());
}
