import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { startCountinghouse } from "../embed/index.ts";
import type { Credentials, World } from "../embed/types.ts";
import { buildPackage } from "../package/pack.ts";
import { type Figure, figureOfPairs, type Measurement, summarize } from "./figure.ts";

const ROUNDS = 5;
const WORLDS = 20;
const START_MS_MAX = 1_500;
const WORLD_MS_MAX = 50;
const MEMORY_MB_MAX = 200;
const RUNNER = join(import.meta.dirname, "support/run-embedded.mjs");

export const embedded: Measurement = {
  name: "embedded",
  about:
    "What a test suite waits for, in alternating rounds: until `startCountinghouse()` of the npm package has resolved and has " +
    "answered one request, against `npx countinghouse` in a process and a data directory of its own, which also makes ten times " +
    "as many trades; and until another world is there, against another house. Then what a process holds that has a house and an answer of it, " +
    "against a process that has nothing.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), "countinghouse-bench-"));
  try {
    const { directory: built } = await buildPackage(directory, () => {});
    return await measurePackage(join(built, "code"));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** @param code the directory of the package's code. */
async function measurePackage(code: string): Promise<readonly Figure[]> {
  const { href } = pathToFileURL(join(code, "index.mjs"));
  const shim = (await import(href)) as { readonly startCountinghouse: typeof startCountinghouse };
  const starts: [number, number][] = [];
  const answers: [number, number][] = [];
  const worlds: [number, number][] = [];
  const memory: [number, number][] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const own = await measureHouse(shim.startCountinghouse);
    const command = await measureCommand(join(code, "cli.mjs"));
    if (round < 0) continue;
    starts.push([own.startMs, command.startMs]);
    answers.push([own.answerMs, command.answerMs]);
    memory.push([await memoryOf(href), await memoryOf()]);
    worlds.push(...own.worldsMs.map((ms): [number, number] => [ms, own.startMs]));
  }
  const command = "npx countinghouse";
  return [
    within(START_MS_MAX, figureOfPairs({ what: "start", unit: "ms", peerName: command }, starts)),
    figureOfPairs({ what: "start and first answer", unit: "ms", peerName: command }, answers),
    within(WORLD_MS_MAX, figureOfPairs({ what: "a world", unit: "ms", peerName: "a house" }, worlds)),
    {
      ...figureOfPairs({ what: "memory after the first answer", unit: "MB", peerName: "node alone" }, memory),
      aim: {
        text: `at most ${MEMORY_MB_MAX} MB`,
        isMet: summarize(memory.map(([own]) => own)).median <= MEMORY_MB_MAX,
      },
    },
  ];
}

const within = (ms: number, figure: Figure): Figure => ({
  ...figure,
  aim: { text: `at most ${ms} ms`, isMet: figure.ours.median <= ms },
});

/** The resident memory of a process of its own, in MB. @param module the package's; absent for none. */
async function memoryOf(module?: string): Promise<number> {
  const words = [RUNNER, ...(module === undefined ? [] : [module])];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}

async function measureHouse(start: typeof startCountinghouse) {
  const began = performance.now();
  const house = await start();
  const startMs = performance.now() - began;
  await askOrder(house.baseUrl, house.credentials.ramp);
  const answerMs = performance.now() - began;
  const worldsMs: number[] = [];
  const worlds: World[] = [];
  for (let at = 0; at < WORLDS; at += 1) {
    const asked = performance.now();
    worlds.push(await house.world(`world-${at}`));
    worldsMs.push(performance.now() - asked);
  }
  await house.close();
  return { startMs, answerMs, worldsMs };
}

/** The command is ready with the last line that it prints about itself. */
async function measureCommand(program: string) {
  const data = await mkdtemp(join(tmpdir(), "countinghouse-bench-"));
  const began = performance.now();
  const words = [program, "--port", "0", "--tls-port", "0", "--data", data];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith("Ctrl-C stops")) break;
    const startMs = performance.now() - began;
    const demo = JSON.parse(await readFile(join(data, "demo.json"), "utf8"));
    await askOrder(demo.baseUrl, demo.ramp);
    return { startMs, answerMs: performance.now() - began };
  } finally {
    const exited = once(child, "exit");
    child.kill();
    await exited;
    await rm(data, { recursive: true });
  }
}

async function askOrder(
  baseUrl: string,
  { orderId, apiKey }: Pick<Credentials["ramp"], "orderId" | "apiKey">,
): Promise<void> {
  const answer = await fetch(`${baseUrl}/sell-orders/${orderId}`, { headers: { "x-api-key": apiKey } });
  if (answer.status !== 200) throw new Error(`The order was answered with ${answer.status}.`);
  await answer.text();
}
