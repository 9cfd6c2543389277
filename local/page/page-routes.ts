import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { CredentialStore } from "../../lib/auth/credential-store.ts";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Table, tablesOf } from "../../lib/dynamo/table.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { ownMember } from "../../lib/own-member.ts";
import { defaultFreshness } from "../../lib/signature/settings.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { ControlRefusal, type ServedRoute, serveRoute } from "../control/control-route.ts";
import { advanceRecord, type FoundRecord, findRecord } from "../demo/advance/advance-record.ts";
import type { RecordStore } from "../demo/advance/record-kinds.ts";
import { type DemoFile, readDemoFile } from "../demo/demo-file.ts";
import { runLiveTrades } from "../demo/live-trades.ts";
import type { DemoParts } from "../demo/prepare-demo.ts";
import { demoMarkets } from "../demo/trade-plan.ts";
import { type Faults, faultRoutes } from "../faults/faults.ts";
import { adviceFor } from "../history/advice.ts";
import { explanationsOf, type History } from "../history/history.ts";
import { claimsOf } from "../identity/local-token.ts";
import type { ServiceOptions } from "../options.ts";
import { OperatorError } from "../process/operator-error.ts";
import { resetRoute } from "../reset/reset-routes.ts";
import type { StoreReset } from "../reset/store-reset.ts";
import { explainSignature } from "../signing/explain-signature.ts";
import { findRegisteredKey } from "../signing/registered-key.ts";
import { type MoveTime, timeRoute } from "../time/time-routes.ts";
import type { QuestionName, Questions, RecordState } from "./page-questions.ts";
import { sessionOf } from "./page-session.ts";

/** What the questions of the page are answered from: the parts of a running service. */
export interface PageRoutesParts {
  readonly demoParts: DemoParts;
  /** The text of the OpenAPI document. */
  readonly openApi: string;
  readonly faults: Faults;
  readonly history: History;
  readonly reset: Pick<StoreReset, "run">;
  readonly options: Pick<ServiceOptions, "startCommand">;
  readonly moveTime: MoveTime;
}

/** A question with what it takes and its answer, of the type that the page knows. */
const question = <Name extends QuestionName, Input>(
  name: Name,
  input: z.ZodMiniType<Input>,
  answer: (input: Input) => Promise<Questions[Name]["output"]>,
): ServedRoute => serveRoute({ name, input }, answer);

/** The questions of the page with their answers. Those that `npm run ops` asks as well are answered by the same code. */
export function pageRoutes(parts: PageRoutesParts): readonly ServedRoute[] {
  const { demoParts, openApi, faults, history, reset, options, moveTime } = parts;
  const { dataDir, brand, clock, client, stage } = demoParts;
  const startedAt = clock();
  const table = tablesOf(client, stage);
  const markets = new MarketRegister(table("Settings"));
  // Read for each question: a reset makes new credentials.
  const demo = async (): Promise<DemoFile> => (await readDemoFile(dataDir)) as DemoFile;
  const [set, , clear] = faultRoutes(faults);
  const live = liveTrades(table("Trades"), clock);
  return [
    question("session", z.object({}), async () =>
      sessionOf({
        demo: await demo(),
        brand,
        openApi,
        markets: (await Array.fromAsync(markets.list(), ({ symbol }) => symbol)).toSorted(),
        startedAt,
        startCommand: options.startCommand,
        aheadMs: (await moveTime({})).aheadMs,
      }),
    ),
    question("alive", z.object({}), async () => ({
      faults: faults.list(),
      liveMarket: live.market(),
      aheadMs: (await moveTime({})).aheadMs,
    })),
    serveRoute(timeRoute, moveTime),
    ...recordQuestions({ table, brand, name: "the local store" }, clock),
    live.question,
    tokenQuestion(demo, demoParts.issuer),
    named("set-fault", set),
    named("clear-faults", clear),
    named("explain", explanationsOf(history)),
    question("advice", z.object({ status: z.number(), code: z.optional(z.string()) }), async (answer) => ({
      advice: await adviceFor(answer),
    })),
    signatureQuestion(table("Credentials"), brand, clock),
    serveRoute(resetRoute, () => reset.run()),
  ];
}

const named = (name: QuestionName, { answer }: ServedRoute): ServedRoute => ({ name, answer });

/** The questions that show a record of the demo and move it on, by the code of `npm run ops -- demo advance`. */
function recordQuestions(store: RecordStore, clock: Clock): readonly ServedRoute[] {
  const stateOf = (id: string, { kind, record: { members } }: FoundRecord): RecordState => ({
    kind: kind.noun as RecordState["kind"],
    id,
    state: kind.stateOf(members),
    next: kind.reaches(members, store.brand),
  });
  return [
    question("state", z.object({ id: z.string() }), ({ id }) =>
      refusing(async () => stateOf(id, await findRecord(store, { id, idsIn: "The list above" }))),
    ),
    question("advance", z.object({ id: z.string(), to: z.optional(z.string()) }), ({ id, to }) =>
      refusing(async () => {
        const taken = await advanceRecord(store, { id, to }, clock);
        return { ...stateOf(id, taken), from: taken.from, unusual: taken.unusual ?? null };
      }),
    ),
  ];
}

/** What an operator can act on, the page's visitor can too. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperatorError) throw new ControlRefusal(error.message);
    throw error;
  }
}

const PER_SECOND_MAX = 100;
/** A page that is closed cannot stop its market, so the market stops by itself. */
const RUN_MS_MAX = 600_000;

const liveTradesInput = z.union([
  z.object({
    market: z.enum(Object.values(demoMarkets)),
    perSecond: z.int().check(z.gte(1), z.lte(PER_SECOND_MAX)),
  }),
  z.object({ stop: z.literal(true) }),
]);

interface LiveTrades {
  /** The market that goes on; null for none. */
  readonly market: () => string | null;
  readonly question: ServedRoute;
}

/**
 * Lets a market of the demo go on, as `ops demo trades` does, or stops it. One market goes on at a time, for ten minutes
 * at most. A stop is answered once all trades until then are written.
 */
export function liveTrades(table: Table, clock: Clock): LiveTrades {
  const register = new TradeRegister(table);
  let stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let goingOn: string | null = null;
  const route = question("trades-live", liveTradesInput, async (wanted) => {
    stop.abort();
    await running;
    if (!("market" in wanted)) return { market: null };
    const { market, perSecond } = wanted;
    stop = new AbortController();
    goingOn = market;
    running = runLiveTrades({
      market,
      perSecond,
      forMs: RUN_MS_MAX,
      write: (trades) => putTrades(register, market, trades),
      onWritten: () => {},
      stop: stop.signal,
      clock,
      // Without keeping the process alive, until the signal at the latest.
      wait: (ms, signal) => pause(ms, undefined, { signal, ref: false }).catch(() => {}),
    })
      // The store is closed together with the service.
      .catch(() => {})
      .finally(() => {
        goingOn = null;
      });
    return { market };
  });
  return { market: () => goingOn, question: route };
}

const tokenInput = z.object({
  for: z.enum(["business", "wallet"]),
  scope: z.optional(z.string()),
  expiresInS: z.optional(z.int()),
  audience: z.optional(z.string()),
});

/** The question for a token of the demo's business or wallet, right or wrong as it is wanted. */
const tokenQuestion = (demo: () => Promise<DemoFile>, issuer: DemoParts["issuer"]): ServedRoute =>
  question("token", tokenInput, async ({ for: holder, scope, expiresInS, audience }) => {
    const { business, passes } = await demo();
    const token = await issuer.mintToken({
      ...claimsOf(holder === "business" ? { business: business.id } : { wallet: passes.walletId }),
      ...(scope !== undefined && { scope }),
      ...(expiresInS !== undefined && { lifeS: expiresInS }),
      ...(audience !== undefined && { audience }),
    });
    return { token };
  });

const signatureInput = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  judgedAt: z.number(),
});

/** What is wrong with a signed request, by the reasoning of `npm run ops -- sign --explain`. */
function signatureQuestion(credentials: Table, brand: Brand, clock: Clock): ServedRoute {
  const store = new CredentialStore(credentials, clock);
  const apiKeyName = `${brand.headerPrefix}API-Key`;
  return question("explain-signature", signatureInput, async ({ url, headers, judgedAt }) => {
    const { keys, findings } = await findRegisteredKey(store, ownMember(headers, apiKeyName) ?? "", judgedAt);
    // A template that is served here has the limits that every stage has by default.
    const parts = { brand, freshness: defaultFreshness, publicKeys: keys, judgedAt };
    const request = { method: "GET", url, headers, hasBody: false };
    return { findings: [...findings, ...explainSignature(request, parts)] };
  });
}
