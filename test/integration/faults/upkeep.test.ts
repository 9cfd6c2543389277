import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../lib/clock.ts";
import { UPKEEP_NAME, upkeepJobs } from "../../../lib/upkeep/settings.ts";
import { startIssuer } from "../../../local/identity/issuer.ts";
import { startPool } from "../../../local/runtime/function-pools.ts";
import { createTables } from "../../../local/store/tables.ts";
import { LOCAL_STAGE } from "../../../local/template/local-stage.ts";
import type { FunctionDefinition } from "../../../local/template/template-function.ts";
import { stageTables } from "../../../ops/store/local-tables.ts";
import { startEngine } from "../../support/engine.ts";
import { PLANTED } from "../../support/faults/acts.ts";
import { startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { storeFaults } from "../../support/faults/fault-tables.ts";
import { faultyApplication, isLittleMore, type Work } from "../../support/faults/faulty-application.ts";
import { LineLog } from "../../support/faults/line-log.ts";

/** As long as a stage gives the function. */
const LIMIT_MS = 10_000;
/** The most tasks of a job, each of which may fail with a line. */
const TASKS_MAX = 2;
/** After so many faults, an environment is new: the client's budget for repetitions is not used up then. */
const FAULTS_MAX = 6;

// A job mostly waits.
vi.setConfig({ maxConcurrency: 4 });

const [engine, issuer] = await Promise.all([
  startEngine("dynalite"),
  startIssuer({ dataDir: new Map(), clock: systemClock }),
]);
await createTables(engine.client, stageTables(LOCAL_STAGE));
const { functions } = await faultyApplication(LIMIT_MS);
const definition = functions.find(({ name }) => name.endsWith(`-${UPKEEP_NAME}`)) as FunctionDefinition;
afterAll(async () => {
  await Promise.all(free.map((upkeep) => upkeep.close()));
  await issuer.close();
  await engine.close();
});

type Upkeep = Awaited<ReturnType<typeof startUpkeep>>;
/** Those that no test uses at the moment. */
const free: Upkeep[] = [];

/** The deployed function behind a proxy to the store; `call` has it do each of its jobs. */
async function startUpkeep() {
  const log = new LineLog();
  const store = await startFaultProxy(engine.endpoint);
  const pool = await startPool(definition, {
    store: { endpoint: store.url, admit: async (identity) => engine.admit(identity) },
    overrides: { TOKEN_JWKS_URLS: issuer.jwksUrl },
    clock: systemClock,
    log: log.take,
  });
  const call = async (): Promise<readonly { readonly failed: boolean; readonly work: Work }[]> => {
    const done = [];
    for (const job of upkeepJobs) {
      const before = log.works.length;
      const outcome = await pool.invoke(JSON.stringify({ job }), randomUUID());
      const work = log.works[before]?.work;
      if (outcome === "throttled" || work === undefined) throw new Error("The function ended.");
      done.push({ failed: outcome.kind === "failure", work });
    }
    return done;
  };
  const close = async () => {
    await pool.close();
    await store.close();
  };
  return { store, log, call, close, faults: 0 };
}

/** One for a test alone, which may have met other faults before. */
async function openUpkeep() {
  const upkeep = free.pop() ?? (await startUpkeep());
  upkeep.faults += 1;
  const linesBefore = upkeep.log.lines.length;
  let isSound = false;
  return {
    ...upkeep,
    lines: () => upkeep.log.lines.slice(linesBefore),
    /** Others may use it once the test has passed. */
    passed: () => {
      isSound = true;
    },
    [Symbol.asyncDispose]: async () => {
      if (isSound && upkeep.faults < FAULTS_MAX) free.push(upkeep);
      else await upkeep.close();
    },
  };
}

describe.concurrent("the function that does the upkeep", () => {
  test.each(storeFaults)(
    "tells of the fault while the store $what, does little more than usual, and works as ever afterwards",
    async ({ act, ingest }) => {
      await using upkeep = await openUpkeep();
      const usual = await upkeep.call();
      expect(usual.map(({ failed }) => failed)).toEqual([false, false]);
      const met = await upkeep.store.under(act, upkeep.call);
      const isUnusable = ingest !== "stored";
      for (const [at, { work: expected }] of usual.entries()) {
        const { failed, work } = met[at] as (typeof met)[number];
        const told = JSON.stringify({ work, expected });
        expect(failed, told).toBe(isUnusable);
        expect(isLittleMore(work, expected, { attempts: 3 }), told).toBe(true);
        expect(work.lines, told).toBeLessThanOrEqual(expected.lines + TASKS_MAX);
      }
      expect(upkeep.lines().some((line) => line.includes('"level":"ERROR"'))).toBe(isUnusable);
      expect(upkeep.lines().join()).not.toContain(PLANTED);
      expect((await upkeep.call()).map(({ failed }) => failed)).toEqual([false, false]);
      upkeep.passed();
    },
  );
});
