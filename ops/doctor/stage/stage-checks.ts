import { type TableName, tables } from "../../../lib/dynamo/tables.ts";
import { MarketRegister } from "../../../lib/markets/market-register.ts";
import { checkSigned, type SignedQuestion } from "../check-signed.ts";
import { checkTable } from "../check-table.ts";
import { type Check, type Found, notChecked } from "../finding.ts";
import {
  accountReader,
  checkAccount,
  checkClock,
  checkConcurrency,
  checkFunctions,
  checkQueues,
  checkStacks,
  deployText,
  type StageContext,
} from "./check-account.ts";
import {
  addressOf,
  checkAnswer,
  checkCertificates,
  checkMutualTls,
  checkNames,
  checkSubscribers,
  checkTruststore,
} from "./check-addresses.ts";

/** Credentials of a caller of the stage; all absent where nobody gave any. */
export type CallerOptions = Omit<SignedQuestion, "symbol" | "url">;

/** Every check of a deployed stage, in the order in which they are shown. */
export function stageChecks(context: StageContext, caller: CallerOptions): readonly Check[] {
  const account = accountReader(context);
  return [
    { name: "account", run: () => checkAccount(context, account) },
    { name: "clock", run: () => checkClock(account) },
    { name: "stacks", run: () => checkStacks(context) },
    ...tableChecks(context),
    { name: "functions", run: () => checkFunctions(context) },
    { name: "concurrency", run: () => checkConcurrency(context) },
    { name: "queues", run: () => checkQueues(context) },
    { name: "certificates", run: () => checkCertificates(context) },
    { name: "truststore", run: () => checkTruststore(context) },
    { name: "alarms", run: () => checkSubscribers(context) },
    { name: "names", run: () => checkNames(context) },
    { name: "answer", run: () => withAddress(context, (address) => checkAnswer(address, context.fetch)) },
    { name: "mutual TLS", run: () => checkMutualTls(context) },
    { name: "request", run: () => withAddress(context, (url) => signedRequest(context, { ...caller, url })) },
  ];
}

function tableChecks({ stage, store }: StageContext): readonly Check[] {
  return (Object.keys(tables) as TableName[]).map((name) => ({
    name: `table ${name}`,
    run: () =>
      checkTable(name, store.table(name), {
        isProtected: !stage.disposable,
        isAmazons: store.aws !== undefined,
        tags: { project: "countinghouse", stage: stage.name },
        remedy: `Deploy it: ${deployText(stage.name, "data")}.`,
      }),
  }));
}

async function withAddress(context: StageContext, work: (address: string) => Promise<Found>): Promise<Found> {
  const address = await addressOf(context);
  if (address !== undefined) return await work(address);
  return notChecked("the API's stack names no address", `${deployText(context.stage.name, "api")}.`);
}

async function signedRequest(
  { store, clock }: StageContext,
  question: Omit<SignedQuestion, "symbol">,
): Promise<Found> {
  const { tokenFile, apiKeyFile, privateKey } = question;
  if (tokenFile === undefined && (apiKeyFile === undefined || privateKey === undefined))
    return notChecked(
      "no credentials of a caller were given",
      "Give --api-key-file and --private-key of a trading client, or --token-file with a business's access token.",
    );
  const first = tokenFile === undefined ? await firstMarket(store) : undefined;
  return await checkSigned({ ...question, symbol: first }, clock);
}

async function firstMarket({ table }: StageContext["store"]): Promise<string | undefined> {
  for await (const { symbol } of new MarketRegister(table("Settings")).list()) return symbol;
  return undefined;
}
