import type { Entry } from "dynalite/db/index.js";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { tablesOf } from "../../lib/dynamo/table.ts";
import { ClockShift } from "../../local/clock/clock-shift.ts";
import { createCompanion } from "../../local/companion.ts";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { admitCallers } from "../../local/demo/prepare-demo.ts";
import { continueDemoTrades } from "../../local/demo/trades.ts";
import { type Faults, openFaults } from "../../local/faults/faults.ts";
import type { MutualTls } from "../../local/gateway/gateway.ts";
import { type HostRule, hostRule } from "../../local/gateway/host-rule.ts";
import { openGateways, type Ports } from "../../local/gateway/open-gateways.ts";
import type { ClaimedPort } from "../../local/gateway/port.ts";
import type { HandlerOptions, Invoke } from "../../local/gateway/request-handler.ts";
import { Turnstile } from "../../local/gateway/turnstile.ts";
import { type Issuer, startIssuer } from "../../local/identity/issuer.ts";
import { openAuthority } from "../../local/identity/local-authority.ts";
import { RequestLog } from "../../local/log/request-log.ts";
import type { FunctionPool } from "../../local/runtime/function-pool.ts";
import {
  openPools,
  type Pools,
  type PoolsOptions,
  prepareRenewal,
} from "../../local/runtime/function-pools.ts";
import type { PrivateFileName } from "../../local/store/data-files.ts";
import { type MemoryStore, openMemoryStore } from "../../local/store/memory-store.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import type { Application } from "../../local/template/template.ts";
import { shiftAfter } from "../../local/time/time-move.ts";
import { Tomorrow } from "../../local/tomorrow/tomorrow.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";
import type { BaseContent } from "./base-content.ts";
import { HOST } from "./house-authority.ts";
import { Room } from "./room.ts";
import type { Credentials, PrivateKey } from "./types.ts";

/** Answers under way may take this long when a world is closed; a test has usually read them all. */
const ENDING_MS = { answers: 1_000, taking: 100 };
/** Trades are added to content that is older; the busy market has one each minute. */
const STALE_MS = 60_000;

/** What a world is made of. */
export interface WorldParts {
  readonly name: string;
  readonly application: Application;
  readonly brand: Brand;
  /** How far the world's clock is from the machine's at its beginning, in milliseconds. */
  readonly startShiftMs: () => number;
  readonly isTomorrow?: boolean;
  readonly content: BaseContent;
  /** The private files with the world's keys. */
  readonly files: Map<PrivateFileName, string>;
  readonly tls: MutualTls;
  /** Receives the lines of requests, and of what fails; absent for none. */
  readonly line?: (line: string) => void;
  /** Where it listens; any free ports of this machine unless given. */
  readonly place?: WorldPlace;
  /** What it shares with other worlds of the machine. */
  readonly room?: Room;
}

/** Where a world listens, and how its addresses name that. */
export interface WorldPlace {
  readonly host: string;
  readonly shownHost: string;
  readonly isOwnHost: HostRule;
  /** Takes a port, which is given back when the world ends. */
  readonly takePort: (running: AsyncDisposableStack) => Promise<ClaimedPort>;
}

/** An open world, for the code that follows the calls of tests. */
export interface OpenWorld {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly clockShift: ClockShift;
  readonly issuer: Issuer;
  readonly faults: Faults;
  readonly operatorStore: OperatorStore;
  /** Does the work of a call once that of the calls before has ended: a reset finds no import half done. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Moves the clock as `shiftAfter` does, between requests. */
  readonly moveTime: (move: number | string) => Promise<void>;
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a world: a store with the base content, and around it what `npm start` puts around its store. */
export async function openWorld(parts: WorldParts): Promise<OpenWorld> {
  await using running = new AsyncDisposableStack();
  const { application, files } = parts;
  const clockShift = new ClockShift();
  const { clock } = clockShift;
  clockShift.ms = parts.startShiftMs();
  const lines = linesOf(parts);
  const log = lines.take;
  const store = await openMemoryStore({ clock, report: (error) => log("store", String(error)) });
  running.defer(() => store.close());
  await store.content.replace(parts.content.entries);
  const issuer = await startIssuer({ dataDir: files, clock });
  running.defer(() => issuer.close());
  const tomorrow = parts.isTomorrow === true ? new Tomorrow(clock) : undefined;
  const overrides = { TOKEN_JWKS_URL: issuer.jwksUrl, ...tomorrow?.variables };
  const options = { application, store, overrides, clock, clockShift, log };
  // They start with their first requests.
  const pools = await openPools(options);
  running.defer(async () => void (await Promise.all([...pools.values()].map((pool) => pool.close()))));
  const live = { ...options, pools, tomorrow };
  const served = await serve(parts, live, lines, running);
  const { baseUrl, credentials } = await admit(parts, store, served.ports, { issuer, clock });
  const initial = await store.content.read();
  const kept = running.move();
  return {
    baseUrl,
    credentials,
    clockShift,
    issuer,
    faults: served.faults,
    operatorStore: {
      table: tablesOf(store.client, LOCAL_STAGE),
      brand: parts.brand,
      name: `the world ${parts.name}`,
      close: async () => {},
    },
    inTurn: oneAfterAnother(),
    moveTime: (move) =>
      served.turnstile.hold(async () => {
        clockShift.ms = shiftAfter(clockShift, move);
      }),
    reset: () => reset(parts, live, served, initial),
    close: () => kept.disposeAsync(),
  };
}

/** Does pieces of work one after another. */
function oneAfterAnother(): OpenWorld["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** The functions of a world as they run, and what new environments of theirs need. */
interface Live extends PoolsOptions {
  readonly store: MemoryStore;
  readonly clockShift: ClockShift;
  readonly pools: Pools;
  readonly tomorrow: Tomorrow | undefined;
}

/** Ports that no other program can take meanwhile: they are chosen by listening on them. */
export const anyPort = async (): Promise<ClaimedPort> => ({ port: 0, release: async () => {} });

const OWN_PLACE: WorldPlace = { host: HOST, shownHost: HOST, isOwnHost: hostRule([]), takePort: anyPort };

/** Answers requests, with the helpers and faults of `npm start`. */
async function serve(
  { application, brand, tls, place = OWN_PLACE, room = new Room() }: WorldParts,
  live: Live,
  { answered }: Lines,
  running: AsyncDisposableStack,
) {
  const { basePath } = brand;
  const faults = openFaults(live, basePath, running);
  const turnstile = new Turnstile();
  const { host, isOwnHost, takePort } = place;
  const { calls } = live.store;
  const hinted = { brand, isDefaultData: false, credentialsIn: "`credentials` of the world", isOwnHost };
  const companion = createCompanion({ ...hinted, application, calls, answered });
  const inTurn = inRoom(room, live.pools, faults);
  const interfere = live.tomorrow?.around(inTurn) ?? inTurn;
  const serving = { ...live, basePath, isOwnHost, interfere, turnstile, companion, endingMs: ENDING_MS };
  const [plain, secure] = [await takePort(running), await takePort(running)];
  const listening = { host, plain, secure, desk: undefined };
  return { faults, turnstile, ports: await openGateways(serving, tls, listening, running) };
}

/** How requests of a world are answered. */
type Served = Awaited<ReturnType<typeof serve>>;

/** Lets each request find an environment in the room before it meets its fault, if it meets one, and its timeout. */
function inRoom(room: Room, pools: Pools, faults: Faults): NonNullable<HandlerOptions["interfere"]> {
  return (route) => {
    const meet = faults.interfere(route);
    return (invoke, event) => {
      const inTurn: Invoke = (pool, asked) =>
        pool === undefined
          ? room.call(pools.get(route.functionName) as FunctionPool, () => invoke(undefined, asked))
          : invoke(pool, asked);
      return meet === undefined ? inTurn() : meet(inTurn, event);
    };
  };
}

/** Adds the trades since the content was made, and gives every demo caller its credentials. */
async function admit(
  { content, files, brand, place: { shownHost } = OWN_PLACE }: WorldParts,
  { client }: MemoryStore,
  { plain, secure }: Ports,
  { issuer, clock }: { readonly issuer: Issuer; readonly clock: Clock },
) {
  const parts = { client, stage: LOCAL_STAGE, brand, clock };
  if (clock() - content.untilMs >= STALE_MS) await continueDemoTrades(parts);
  const baseUrl = `http://${shownHost}:${plain}${brand.basePath}`;
  const demo = await admitCallers(
    {
      ...parts,
      dataDir: files,
      baseUrl,
      mutualTlsUrl: `https://${shownHost}:${secure}${brand.basePath}`,
      issuer,
      authority: await openAuthority({ dataDir: files, clock }),
    },
    content.records,
  );
  return { baseUrl, credentials: credentialsOf(demo, files) };
}

/** Where the lines of functions, of the store and of requests go. */
type Lines = Pick<RequestLog, "take" | "answered">;

/** The lines of a world: each request as `npm start` prints it, or nothing. */
function linesOf({ line }: WorldParts): Lines {
  if (line === undefined) return { take: () => {}, answered: () => {} };
  return new RequestLog({
    print: line,
    log: (name, text) => line(`[${name}] ${text}`),
    paint: (_tint, text) => text,
  });
}

/** The sections of the demo with the texts of its private files in place of their paths, which are their names. */
export function credentialsOf(demo: DemoFile, files: ReadonlyMap<PrivateFileName, string>): Credentials {
  const text = (path: string): string => files.get(path as PrivateFileName) ?? "";
  const jwk = (path: string): PrivateKey => JSON.parse(text(path)) as PrivateKey;
  const { keyFile, ...issuer } = demo.issuer;
  const { privateKeyFile, publicKeyFile, ...exchange } = demo.exchange;
  const { mtls, jws, ...passes } = demo.passes;
  return {
    issuer: { ...issuer, privateKey: jwk(keyFile) },
    business: demo.business,
    ramp: demo.ramp,
    exchange: { ...exchange, privateKey: text(privateKeyFile), publicKey: text(publicKeyFile) },
    passes: {
      ...passes,
      mtls: {
        url: mtls.url,
        ca: text(mtls.ca),
        cert: text(mtls.cert),
        key: text(mtls.key),
        otherCert: text(mtls.otherCert),
        otherKey: text(mtls.otherKey),
      },
      jws: { privateKey: jwk(jws.privateKeyFile), kid: jws.kid },
    },
  };
}

/**
 * Puts a world back to its start: its content, with the credentials that were handed out, its clock and no faults. New
 * requests wait meanwhile, and get functions that remember nothing.
 */
async function reset(
  { startShiftMs }: WorldParts,
  live: Live,
  { turnstile, faults }: Served,
  initial: readonly Entry[],
): Promise<void> {
  const renewal = await prepareRenewal(live.pools, live, openPools);
  const replace = async (): Promise<void> => {
    await live.store.content.replace(initial);
    live.clockShift.ms = startShiftMs();
  };
  await turnstile.hold(() => renewal.exchange(replace));
  await faults.clear();
  live.tomorrow?.restart();
}
