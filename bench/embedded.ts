import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startCountinghouse } from "../embed/index.ts";
import type { Credentials, World } from "../embed/types.ts";
import { type Figure, figureOfPairs, type Measurement } from "./figure.ts";

const ROUNDS = 5;
const WORLDS = 20;
const START_MS_MAX = 1_500;
const WORLD_MS_MAX = 50;

export const embedded: Measurement = {
  name: "embedded",
  about:
    "What a test suite waits for, in alternating rounds: until `startCountinghouse()` has resolved and has answered one " +
    "request, against `npm start` in a process and a data directory of its own; and until another world is there, against " +
    "another house. Code is read as TypeScript, as in a clone; the template is synthesized before.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const starts: [number, number][] = [];
  const answers: [number, number][] = [];
  const worlds: [number, number][] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const own = await measureHouse();
    const command = await measureCommand();
    if (round < 0) continue;
    starts.push([own.startMs, command.startMs]);
    answers.push([own.answerMs, command.answerMs]);
    worlds.push(...own.worldsMs.map((ms): [number, number] => [ms, own.startMs]));
  }
  const command = "npm start --fresh";
  return [
    within(START_MS_MAX, figureOfPairs({ what: "start", unit: "ms", peerName: command }, starts)),
    figureOfPairs({ what: "start and first answer", unit: "ms", peerName: command }, answers),
    within(WORLD_MS_MAX, figureOfPairs({ what: "a world", unit: "ms", peerName: "a house" }, worlds)),
  ];
}

const within = (ms: number, figure: Figure): Figure => ({
  ...figure,
  aim: { text: `at most ${ms} ms`, isMet: figure.ours.median <= ms },
});

async function measureHouse() {
  const began = performance.now();
  const house = await startCountinghouse();
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

/** `npm start` is ready with the last line that it prints about itself. */
async function measureCommand() {
  const data = await mkdtemp(join(tmpdir(), "countinghouse-bench-"));
  const began = performance.now();
  const words = ["--import", "./local/require-node.mjs", "local/start.ts", "--port", "0", "--data", data];
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
