import type { Intake } from "../../lib/intake.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { type DocumentKindName, documentKinds } from "../../local/records/document-kinds.ts";
import { newTally } from "../../local/records/tally.ts";
import { ImportJournal } from "../../ops/import/journal/import-journal.ts";
import { ImportRegister } from "../../ops/import/journal/import-register.ts";
import { journaledPut } from "../../ops/import/journal/journaled-put.ts";
import { marketWriter, type TradeWriting } from "../../ops/import/trades/market-writer.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";
import { undoImport } from "../../ops/undo/undo-import.ts";
import { UndoTally } from "../../ops/undo/undo-tally.ts";
import { NOW } from "./trades.ts";

/** Imports records of an owner, as the commands do, in their order. @returns the import's id. */
export async function importRecords(
  store: OperatorStore,
  {
    kind,
    owner,
    texts,
    intake = {},
    isTogether = false,
  }: {
    kind: DocumentKindName;
    owner: string;
    texts: readonly string[];
    intake?: Intake;
    isTogether?: boolean;
  },
): Promise<string | undefined> {
  const journal = new ImportJournal(store, kind, kind === "passes" ? undefined : owner);
  const { table, writer } = documentKinds[kind];
  const put = journaledPut(store.table(table), journal);
  const write = writer({ ...store, owner, intake, put });
  const writeOne = async (text: string) => {
    const result = await write(text);
    if (result.outcome === "refused") throw new Error(result.reason);
  };
  if (isTogether) await Promise.all(texts.map(writeOne));
  else for (const text of texts) await writeOne(text);
  await journal.end("done", newTally());
  return await journal.id();
}

/** Imports trades of a market, as the command does. @returns the import's id. */
export async function importTrades(
  store: OperatorStore,
  symbol: string,
  trades: readonly Trade[],
  writing: Partial<TradeWriting> = {},
): Promise<string | undefined> {
  const journal = new ImportJournal(store, "trades", symbol);
  const isListed = (await new MarketStore(store.table("Settings"), () => NOW).get(symbol)) !== undefined;
  const market = marketOf(symbol);
  const settings = { market, isListed, isWithdrawal: false, isRehearsal: false, journal, ...writing };
  await marketWriter(store, settings)(trades);
  await journal.end("done", newTally());
  return await journal.id();
}

/** Takes an import back, as the command does. */
export async function undo(
  store: OperatorStore,
  id: string | undefined,
  options: { isRehearsal?: boolean; stop?: AbortSignal } = {},
): Promise<UndoTally> {
  const register = new ImportRegister(store.table("Imports"));
  const head = id === undefined ? undefined : await register.find(id);
  const tally = new UndoTally();
  if (head === undefined) return tally;
  const { isRehearsal = false, stop = new AbortController().signal } = options;
  await undoImport(store, head, { isRehearsal, stop, tally });
  return tally;
}
