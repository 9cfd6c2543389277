import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ended, endOf } from "../support/child-program.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";
import { projectPath } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";

const programs = projectPath("docs/examples/amounts");

interface Runtime {
  readonly file: string;
  readonly command: readonly [string, ...string[]];
  /** Ends without an error where the program can run. */
  readonly probe: readonly [string, ...string[]];
}

const scratch = scratchDirectory();
const jacksonProbe = join(scratch, "Probe.java");
writeFileSync(
  jacksonProbe,
  "class Probe { public static void main(String[] a) { new com.fasterxml.jackson.databind.ObjectMapper(); } }",
);

const runtimes = {
  JavaScript: {
    file: "order.mjs",
    command: [process.execPath],
    probe: [process.execPath, "--version"],
  },
  Python: { file: "order.py", command: ["python3"], probe: ["python3", "--version"] },
  Go: { file: "order.go", command: ["go", "run"], probe: ["go", "version"] },
  // Jackson has to be on the CLASSPATH. Without one, no Java starts only to find none.
  Java: {
    file: "Order.java",
    command: ["java"],
    probe: process.env.CLASSPATH ? ["java", jacksonProbe] : ["false"],
  },
} satisfies Readonly<Record<string, Runtime>>;

function call([command, ...argv]: Runtime["probe"]): SpawnSyncReturns<Buffer> {
  return spawnSync(command, argv, { cwd: scratch });
}

const here = Object.entries(runtimes).filter(([, { probe }]) => call(probe).status === 0);
const missing = Object.keys(runtimes).filter((name) => here.every(([present]) => present !== name));
if (missing.length > 0)
  console.warn(`docs/examples/amounts: no runtime for ${missing.join(", ")} on this machine.`);

const WAIT_MS = 40;
const AMOUNT = "12.345678901234567890123456789000";
const REFUSED = { code: "rate_limited", message: "wait", retry_after_ms: WAIT_MS };

/** Refuses as often as a test says, in milliseconds as the exchange does, and then answers an order. */
let refusals = 0;
let askedAtMs: number[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_, response) => {
    askedAtMs.push(performance.now());
    if (askedAtMs.length > refusals) response.end(`{"crypto":{"amount":${AMOUNT},"currencyId":"ETH"}}`);
    else response.writeHead(429, { "retry-after": String(WAIT_MS) }).end(JSON.stringify(REFUSED));
  });
  url = `http://127.0.0.1:${await listenOnLoopback(server)}/sell-orders/1`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});
beforeEach(() => {
  askedAtMs = [];
});

function run(runtime: Runtime): Promise<Ended> {
  const file = join(programs, runtime.file);
  const [command, ...argv] = runtime.command;
  const env = { ...process.env, API_KEY: "key" };
  return endOf(spawn(command, [...argv, file, url], { cwd: scratch, env }));
}

describe.each(here)("the program in %s of docs/examples/amounts", (_, runtime) => {
  test("prints every digit of an amount, zeros at its end included", async () => {
    refusals = 0;
    expect(await run(runtime)).toEqual({ code: 0, output: `${AMOUNT}\n`, errors: "" });
  });

  test("waits as many milliseconds as retry_after_ms says, not as many seconds", async () => {
    refusals = 2;
    expect(await run(runtime)).toMatchObject({ code: 0, output: `${AMOUNT}\n` });
    const [first = 0, second = 0, third = 0] = askedAtMs;
    expect(second - first).toBeGreaterThanOrEqual(WAIT_MS - 1);
    expect(third - second).toBeGreaterThanOrEqual(WAIT_MS - 1);
  });

  test("gives up with the code and the message after five refusals", async () => {
    refusals = 9;
    const { code, errors } = await run(runtime);
    expect(code).not.toBe(0);
    expect(errors).toContain("429 rate_limited: wait");
    expect(askedAtMs).toHaveLength(5);
  });
});

test("the program in JavaScript names the Node.js that it needs where numbers have no source", async () => {
  const older = ["--import", "data:text/javascript,delete JSON.rawJSON"] as const;
  const { code, errors } = await run({ ...runtimes.JavaScript, command: [process.execPath, ...older] });
  expect(code).not.toBe(0);
  expect(errors).toContain(`order.mjs needs Node.js 22 or later, and this is ${process.version}.`);
});

test("every program of docs/examples/amounts is one of these", () => {
  const files = Object.values(runtimes).map(({ file }) => file);
  expect(readdirSync(programs).toSorted()).toEqual(files.toSorted());
});
