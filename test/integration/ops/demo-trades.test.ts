import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../../lib/clock.ts";
import { scan } from "../../../lib/dynamo/scan.ts";
import { tablesOf } from "../../../lib/dynamo/table.ts";
import { startService } from "../../../local/local-service.ts";
import { signRequest } from "../../../local/signing/sign-request.ts";
import { readHolder } from "../../../local/store/data-lock.ts";
import { createLocalClient } from "../../../local/store/engine.ts";
import { LOCAL_STAGE } from "../../../local/template/local-stage.ts";
import { filledDataDirectory } from "../../support/filled-demo.ts";
import { failing, runOperator, startOperator } from "../../support/operator.ts";
import { serviceOptions, silent } from "../../support/service-options.ts";

/** A market in which nothing else trades. */
const MARKET = "DOT-USD";
const data = await filledDataDirectory();
const service = await startService(serviceOptions(data), silent);
afterAll(() => service.close());

/** How many trades of the market a signed request lists. */
async function listed(): Promise<number> {
  const { apiKey, privateKeyFile, headerPrefix } = service.demo.exchange;
  const url = `${service.demo.baseUrl}/1.0/trades/all/${MARKET}?limit=1000`;
  const privateKey = createPrivateKey(await readFile(privateKeyFile, "utf8"));
  const headers = signRequest(
    { method: "GET", url, now: systemClock() },
    { apiKey, privateKey },
    headerPrefix,
  );
  const { data: trades } = (await (await fetch(url, { headers })).json()) as { data: unknown[] };
  return trades.length;
}

/** How many rows the market has in the store, which can be asked more often than the endpoint. */
async function rows(): Promise<number> {
  const holder = await readHolder(data);
  if (holder === undefined) throw new Error("The service does not hold its data directory.");
  const client = createLocalClient(holder);
  const ofMarket = {
    FilterExpression: "begins_with(#pk, :market)",
    ExpressionAttributeNames: { "#pk": "pk" },
    ExpressionAttributeValues: { ":market": { S: MARKET } },
  };
  try {
    return (await Array.fromAsync(scan(tablesOf(client, LOCAL_STAGE)("Trades"), ofMarket))).length;
  } finally {
    client.destroy();
  }
}

const args = () => ["demo", "trades", "--market", MARKET, "--data", data, "--per-second"];

test("every trade that the command counts is listed: after --for, and after Ctrl-C", async () => {
  const ended = await runOperator([...args(), "30", "--for", "1500ms"]);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Wrote 45 trades of DOT-USD in /) });
  expect(await listed()).toBe(45);

  const before = await rows();
  const { child, ended: stopped } = startOperator([...args(), "20"]);
  while ((await rows()) === before) await new Promise(setImmediate);
  child.kill("SIGINT");
  const { code, stdout } = await stopped;
  const [, count = ""] = /^Wrote (\d+) trades/.exec(stdout) ?? [];
  expect(code).toBe(130);
  expect(await listed()).toBe(45 + Number(count));
});

test("a market that is not the demo's and a rate that is too high are refused, with what is possible", async () => {
  expect(await runOperator([...args(), "10001"])).toMatchObject(failing("from 1 to 10000"));
  expect(await runOperator(["demo", "trades", "--market", "ETH-USD", "--per-second", "1"])).toMatchObject(
    failing("BTC-USD, SOL-EUR, DOT-USD"),
  );
});
