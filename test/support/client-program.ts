import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Countinghouse } from "../../client/src/index.ts";

const DAY_MS = 86_400_000;
const POLL_MS = 100;

/** The time that a program lives in. */
interface Time {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}
const machineTime: Time = { now: Date.now, sleep };

/** What a program is given, as `check-client` names it, and where it shows the records. */
type Run = (
  given: Readonly<Record<string, string | undefined>>,
  show: (record: unknown) => void,
  time?: Time,
) => Promise<void>;

/** Programs of a client's user, one for each interface: each reads what there is, shows it, and ends. */
export const clientPrograms: Readonly<Record<string, Run>> = {
  exchange: async ({ BASE_URL: baseUrl = "", SYMBOL: symbol = "", ...given }, show, time = machineTime) => {
    const privateKey = readFileSync(given.PRIVATE_KEY_FILE ?? "", "utf8");
    const client = new Countinghouse({
      ...time,
      baseUrl,
      exchange: { apiKey: given.API_KEY ?? "", privateKey },
    });
    // No whole number of days: the walk then takes as many windows however long it takes.
    const walk = client.exchange.trades({ symbol, from: time.now() - 2.5 * DAY_MS });
    for await (const trade of walk) show(trade);
  },
  business: async ({ BASE_URL: baseUrl = "", ...given }, show, time = machineTime) => {
    const client = new Countinghouse({
      ...time,
      baseUrl,
      business: { accessToken: given.ACCESS_TOKEN ?? "" },
    });
    const from = new Date(time.now() - DAY_MS);
    for await (const transaction of client.business.transactions({ from })) show(transaction);
    show(await client.business.transaction(given.TRANSACTION_ID ?? ""));
  },
  ramp: async ({ BASE_URL: baseUrl = "", ...given }, show, time = machineTime) => {
    const client = new Countinghouse({ ...time, baseUrl, ramp: { apiKey: given.RAMP_API_KEY ?? "" } });
    show(await client.ramp.sellOrder(given.ORDER_ID ?? ""));
  },
  passes: async ({ BASE_URL: baseUrl = "", ...given }, show, time = machineTime) => {
    const client = new Countinghouse({ ...time, baseUrl, passes: { accessToken: given.PASS_TOKEN ?? "" } });
    for (let ifNoneMatch: string | undefined; ; ) {
      const answer = await client.passes.get(given.PARTNER_REFERENCE ?? "", { ifNoneMatch });
      if (answer.status === 404 || answer.status === 410) return;
      if (answer.status === 200) {
        show(answer.pass);
        ifNoneMatch = answer.tag;
      }
      await time.sleep(POLL_MS);
    }
  },
};
