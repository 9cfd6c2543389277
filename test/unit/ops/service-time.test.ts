import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { writeStartNote } from "../../../local/store/start-note.ts";
import { buildProgram } from "../../../ops/program.ts";
import { requireCommands } from "../../../ops/run-command-line.ts";
import { enterServiceTime, followServiceTime, machineClock } from "../../../ops/service-time.ts";
import { DEFAULT_DATA_DIRECTORY } from "../../../ops/store/store-options.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const machines = Date;
afterEach(() => {
  globalThis.Date = machines;
  vi.unstubAllEnvs();
});

/** Where commands are run. */
const home = scratchDirectory();
/** The data directory of a service at port 3000 whose time is three days ahead. */
const data = join(home, DEFAULT_DATA_DIRECTORY);
mkdirSync(data, { recursive: true });
await writeStartNote(data, { brand: contractBrand, aheadMs: 259_200_000 });
writeFileSync(
  join(data, "demo.json"),
  '{"baseUrl":"http://127.0.0.1:3000/api","passes":{"mtls":{"url":"https://127.0.0.1:3443/api"}}}',
);
const other = scratchDirectory();

async function isIn(line: string): Promise<boolean> {
  vi.stubEnv("npm_lifecycle_event", "ops");
  vi.stubEnv("INIT_CWD", home);
  const args = line.split(" ").map((word) => word.replace("DATA", data).replace("OTHER", other));
  return await enterServiceTime(requireCommands(await buildProgram(args[0]), args), args);
}

test.each([
  "keys list --data DATA",
  "keys create ramp --partner acme --expires 1d --data=DATA",
  "get trades BTC-USD --from 1d --data DATA --private-key OTHER/key.pem",
  "sign GET http://127.0.0.1:3000/api/1.0/trades/all/BTC-USD --data DATA",
  "sign GET http://[::1]:3000/api/1.0/trades/all/BTC-USD",
  "get pass demo-1 --url https://127.0.0.1:3443/api",
  "sign GET http://localhost:3000/api/1.0/trades/all/BTC-USD --private-key DATA/exchange.pem --data OTHER",
  "sign-pass /passes/demo-1 --jws-key DATA/pass-jws-key.json",
  "check-pass http://127.0.0.1:3000/api --reference demo-1 --jws-key DATA/pass-jws-key.json",
  "get transactions --follow --data DATA --post https://shop.example/hook",
  "compare --left http://127.0.0.1:3000/api --left-credentials DATA/demo.json --record receipt --data OTHER",
  "compare --left receipt --right http://127.0.0.1:3000/api --right-credentials DATA/demo.json --data OTHER",
])("a command that works on a service lives in its time: %s", async (line) => {
  expect(await isIn(line)).toBe(true);
});

test.each([
  "keys list --data OTHER",
  "keys list --data DATA --stage live",
  "get trades BTC-USD --from 1d --data DATA --url https://api.example.com",
  "sign GET https://api.example.com/1.0/trades/all/BTC-USD --private-key DATA/exchange-private.pem",
  "compare --left http://127.0.0.1:3000 --right https://api.example.com --data DATA",
  "compare --left http://127.0.0.1:3000 --left-credentials DATA/demo.json --right https://api.example.com",
  "sign-pass /passes/demo-1 --jws-key OTHER/key.json",
  "check-client --interface ramp -- client http://127.0.0.1:3000/api",
])("a command that works elsewhere lives in the machine's: %s", async (line) => {
  expect(await isIn(line)).toBe(false);
});

test("the address in the environment is that of a command that reads it", async () => {
  vi.stubEnv("COUNTINGHOUSE_URL", "https://api.example.com");
  expect(await isIn("keys list --data DATA")).toBe(true);
  expect(await isIn("get trades BTC-USD --from 1d --data DATA")).toBe(false);
});

test("a command that goes on follows a time that moves, and still knows the machine's", async () => {
  const dates = async (): Promise<number> => {
    await followServiceTime(data);
    expect(Math.abs(machineClock() - machines.now())).toBeLessThan(60_000);
    return Math.round((Date.now() - machines.now()) / 1_000);
  };
  expect([await dates(), await dates()]).toEqual([259_200, 259_200]);
  await writeStartNote(data, { brand: contractBrand, aheadMs: 0 });
  expect(await dates()).toBeCloseTo(0);
});
