import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { drawInteger } from "../../local/demo/draw.ts";
import { cases } from "../support/cases.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { type Moment, onMoment, wholeLines } from "../support/kill-moment.ts";
import { countsOf, runOperator, startOperator, temporaryDirectory, words } from "../support/operator.ts";
import { withStore } from "../support/with-store.ts";
import { transaction } from "./ops/records.ts";

/**
 * Real processes, killed with SIGKILL again and again, on data directories that are used on from round to round. The
 * variable SEED of the environment, a text, chooses other moments.
 *
 * An import prints counts, but names the lines that it refused as it goes. So each record is followed by a witness: a
 * second version of it, in a state that nobody knows. Lines of one record are worked off in order, and one that is
 * given up holds back those after it, so a witness in the rejects file reports that its record has been written.
 */
const rounds = cases(2);
const seed = process.env.SEED ?? "1";
const timeoutMs = 60_000 + rounds * 30_000;

/** The business whose tokens the demo hands out. */
const BUSINESS = "harbour-lane-roasters";
const RECORDS = 150;
const MINUTE_MS = 60_000;
const FIRST_DAY_MS = Date.parse("2026-11-02T00:00:00Z");
/** How far an engine's first log has grown when the tables are made and the first records stored; and the demo's. */
const TABLES_BYTES = 25_000;
const DEMO_BYTES = 300_000;

/** The records of one round, created in a minute of their own. */
interface Batch {
  readonly ids: readonly string[];
  readonly input: string;
  readonly rejects: string;
  readonly args: readonly string[];
  readonly window: string;
  textOf(id: string): string;
}

function batchOf(round: number, data: string): Batch {
  const at = (offsetMs: number) => new Date(FIRST_DAY_MS + round * MINUTE_MS + offsetMs).toISOString();
  const ids = Array.from({ length: RECORDS }, (_, nth) => `round-${round}-${nth}`);
  const textOf = (id: string) =>
    transaction(id, { created_at: at(0), updated_at: at(1000), completed_at: at(1000) });
  const witnessOf = (id: string) =>
    transaction(id, { state: "witness", created_at: at(0), updated_at: at(2000), completed_at: at(1000) });
  const rejects = `${data}.${round}.rejects.ndjson`;
  return {
    ids,
    input: ids.map((id) => `${textOf(id)}\n${witnessOf(id)}\n`).join(""),
    rejects,
    args: words`import transactions --business ${BUSINESS} - --new --data ${data} --rejects ${rejects}`,
    window: `from=${at(0)}&to=${at(MINUTE_MS)}&count=1000`,
    textOf,
  };
}

/** The records that the import has reported as written. */
const reportedBy = ({ rejects, ids }: Batch): readonly string[] =>
  wholeLines(rejects).map((text) => {
    const { line, reason } = JSON.parse(text) as { line: number; reason: string };
    expect(reason).toMatch(/^state must be one of/);
    return ids[line / 2 - 1] ?? `the record of line ${line}`;
  });

/** The stored records of a batch, by id. */
const storedOf = (data: string, { ids }: Batch): Promise<ReadonlyMap<string, string>> =>
  withStore({ data }, async ({ table }) => {
    const transactions = new TransactionStore(table("Transactions"));
    const texts = await Promise.all(
      ids.map(async (id) => [id, await transactions.get(BUSINESS, id)] as const),
    );
    return new Map(texts.filter((pair): pair is [string, string] => pair[1] !== undefined));
  });

/** Every record that was reported is stored, and all that is stored is what was sent. Returns what is stored. */
async function expectNothingLost(data: string, batch: Batch, reported: readonly string[]) {
  const stored = await storedOf(data, batch);
  expect(reported.filter((id) => !stored.has(id))).toEqual([]);
  for (const [id, text] of stored) expect(text).toBe(batch.textOf(id));
  return stored;
}

const readDemo = async (data: string) =>
  JSON.parse(await readFile(join(data, "demo.json"), "utf8")) as DemoFile;

/** A gateway that has just started serves what its demo file names. */
async function expectServes(baseUrl: string, { business, ramp }: DemoFile) {
  const transactionAnswer = await fetch(`${baseUrl}/transaction/${business.transactionId}`, {
    headers: { Authorization: `Bearer ${business.token}` },
  });
  const orderAnswer = await fetch(`${baseUrl}/sell-orders/${ramp.orderId}`, {
    headers: { "X-API-KEY": ramp.apiKey },
  });
  expect([transactionAnswer.status, orderAnswer.status]).toEqual([200, 200]);
}

/** The list shows what is stored of a batch, each record once, and nothing else. */
async function expectListed(baseUrl: string, { business }: DemoFile, batch: Batch, ids: readonly string[]) {
  const headers = { Authorization: `Bearer ${business.token}` };
  const answer = await fetch(`${baseUrl}/transactions?${batch.window}`, { headers });
  const list = (await answer.json()) as readonly { readonly id: string }[];
  expect(list.map(({ id }) => id).sort()).toEqual(ids.toSorted());
}

/** The same import, run again, writes what is missing and nothing else. */
async function expectCompletes(data: string, batch: Batch, storedCount: number) {
  const run = await runOperator(batch.args, { input: batch.input });
  expect(countsOf(run)).toEqual({
    written: RECORDS - storedCount,
    unchanged: storedCount,
    stale: 0,
    refused: RECORDS,
    lines: 2 * RECORDS,
  });
  expect((await expectNothingLost(data, batch, batch.ids)).size).toBe(RECORDS);
}

/** Checks what holds after a kill, with a gateway that was started since. */
async function expectRecovered(baseUrl: string, data: string, batch: Batch, reported: readonly string[]) {
  const stored = await expectNothingLost(data, batch, reported);
  const demo = await readDemo(data);
  await expectServes(baseUrl, demo);
  await expectListed(baseUrl, demo, batch, [...stored.keys()]);
  await expectCompletes(data, batch, stored.size);
  await expectListed(baseUrl, demo, batch, batch.ids);
  return stored;
}

const draw = (label: string, low: number, high: number) => drawInteger(`${seed}/${label}`, low, high);

/** After a number of reports; in a directory that is new, while its tables are being made or just after. */
const momentOf = (round: number, isNew: boolean, data: string, { rejects }: Batch): Moment =>
  isNew
    ? { kind: "logged", data, bytes: draw(`bytes/${round}`, 1, TABLES_BYTES) }
    : { kind: "refused", rejects, lines: draw(`lines/${round}`, 1, RECORDS) };

test(
  "an import that is killed has lost no record that it reported, and the next start works",
  async () => {
    await using directory = await temporaryDirectory();
    for (let round = 0; round < rounds; round += 1) {
      const isNew = round % 2 === 0;
      const data = join(directory.path, `data-${round - (round % 2)}`);
      const batch = batchOf(round, data);
      // Its input stays open, so that it cannot come to an end before it is killed.
      const running = startOperator(batch.args, { input: batch.input, holdInput: true });
      using _ = onMoment(momentOf(round, isNew, data, batch), () => running.child.kill("SIGKILL"));
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
      const reported = reportedBy(batch);
      await using gateway = spawnGateway(data);
      await expectRecovered(await gateway.baseUrl, data, batch, reported);
    }
  },
  timeoutMs,
);

test(
  "a gateway that is killed under an import has lost no record that was reported, and the next start works",
  async () => {
    const data = await filledDataDirectory();
    let gateway = spawnGateway(data);
    await using ending = new AsyncDisposableStack();
    ending.defer(() => gateway.kill());
    await gateway.baseUrl;
    for (let round = 0; round < rounds / 2; round += 1) {
      const batch = batchOf(round, data);
      const running = startOperator(batch.args, { input: batch.input, holdInput: true });
      const killed = Promise.withResolvers<void>();
      const kill = () => gateway.kill().then(killed.resolve, killed.reject);
      using _ = onMoment(momentOf(round, false, data, batch), () => void kill());
      await Promise.race([killed.promise, running.ended]);
      // It would go on asking for some seconds; this has it say now what it has written.
      running.child.kill("SIGINT");
      const run = await running.ended;
      // The audit's last line cannot be written without the gateway, and no interrupt may hide that.
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("The audit lacks this line") });
      const reported = reportedBy(batch);
      gateway = spawnGateway(data);
      const stored = await expectRecovered(await gateway.baseUrl, data, batch, reported);
      expect(stored.size).toBeGreaterThanOrEqual(countsOf(run).written ?? RECORDS);
    }
  },
  timeoutMs,
);

test(
  "a first start that is killed does not hinder the next one",
  async () => {
    await using directory = await temporaryDirectory();
    for (let round = 0; round < rounds / 2; round += 1) {
      const data = join(directory.path, `data-${round}`);
      const bytes = draw(`start/${round}`, 1, round % 2 === 0 ? TABLES_BYTES : DEMO_BYTES);
      const first = spawnGateway(data);
      using _ = onMoment({ kind: "logged", data, bytes }, () => void first.kill());
      await first.baseUrl.catch(() => {});
      await first.kill();
      await using next = spawnGateway(data);
      await expectServes(await next.baseUrl, await readDemo(data));
    }
  },
  timeoutMs,
);
