import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { DemoFile } from "../local/demo/demo-file.ts";
import { buildPackage } from "../publish/package/pack.ts";
import { type Figure, figureOfPairs, type Measurement } from "./figure.ts";

const PAIRS = 3;
const START_OPTIONS = "--port 0 --tls-port 0 --data data";
const projectRoot = path.join(import.meta.dirname, "..");

export const firstAnswer: Measurement = {
  name: "first-answer",
  about:
    "From nothing to the first answered request for a sell order: `npm install` of the packed tarball into an empty folder, " +
    "with an empty cache and no network, and `npx countinghouse`; against `git clone` of this repository, `npm ci` with every " +
    "package in npm's cache already, and `npm start`, which builds its code and synthesizes the template. Without the cache, a " +
    "clone downloads some hundred megabytes first. Then the start alone, and another one on the same data: each from its command " +
    "to its first answer.",
  run: measure,
};

/** How something is installed into a new folder, and then started. */
interface Way {
  readonly folder: string;
  readonly install: readonly string[];
  readonly start: string;
}

/** Seconds for the installation, for the first start after it, and for another one. */
interface Times {
  readonly install: number;
  readonly first: number;
  readonly second: number;
}

async function measure(): Promise<readonly Figure[]> {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), "countinghouse-bench-"));
  const { tarball } = await buildPackage(directory.path, () => {});
  const pairs: [Times, Times][] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const ofPackage = await timesOf({
      folder: path.join(directory.path, `folder-${pair}`),
      install: [`npm install --offline --no-audit --no-fund --cache cache '${tarball}'`],
      start: `npx countinghouse ${START_OPTIONS}`,
    });
    const ofClone = await timesOf({
      folder: path.join(directory.path, `clone-${pair}`),
      install: [`git clone --quiet '${projectRoot}' .`, "npm ci --prefer-offline --no-audit --no-fund"],
      start: `npm start -- ${START_OPTIONS}`,
    });
    pairs.push([ofPackage, ofClone]);
  }
  const figureOf = (what: string, secondsOf: (times: Times) => number): Figure =>
    figureOfPairs(
      { what, unit: "s", peerName: "a clone" },
      pairs.map(([own, clone]) => [secondsOf(own), secondsOf(clone)]),
    );
  return [
    figureOf("from nothing to the first answer", ({ install, first }) => install + first),
    figureOf("a first start", ({ first }) => first),
    figureOf("a second start", ({ second }) => second),
  ];
}

async function timesOf({ folder, install, start }: Way): Promise<Times> {
  await mkdir(folder);
  return {
    install: await secondsOf(async () => await ended(runIn(folder, install.join(" && ")))),
    first: await secondsOfStart(folder, start),
    second: await secondsOfStart(folder, start),
  };
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return (performance.now() - beganMs) / 1_000;
}

/** Seconds until a service has answered its first request; it ends after that. */
async function secondsOfStart(folder: string, start: string): Promise<number> {
  const child = runIn(folder, `exec ${start}`);
  try {
    return await secondsOf(async () => {
      await announced(child);
      await askOnce(folder);
    });
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
    await once(child, "close");
  }
}

const runIn = (folder: string, line: string): ChildProcess =>
  spawn("bash", ["-c", line], {
    cwd: folder,
    env: ownEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });

async function ended(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The installation ended with ${code}.`);
}

/** The environment without what npm adds for this process, which would lead npm back into this project. */
const ownEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$)/i.test(name))),
  PATH: [
    path.dirname(process.execPath),
    ...(process.env.PATH ?? "").split(path.delimiter).filter((place) => !place.includes("node_modules")),
  ].join(path.delimiter),
});

async function announced({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error("The service has no output.");
  for await (const line of createInterface({ input: stdout }))
    if (line.startsWith("countinghouse answers at ")) {
      stdout.resume();
      return;
    }
  throw new Error("The service ended before it answered.");
}

async function askOnce(folder: string): Promise<void> {
  const text = await readFile(path.join(folder, "data/demo.json"), "utf8");
  const { baseUrl, ramp } = JSON.parse(text) as DemoFile;
  const answer = await fetch(`${baseUrl}/sell-orders/${ramp.orderId}`, {
    headers: { "x-api-key": ramp.apiKey },
  });
  await answer.text();
  if (!answer.ok) throw new Error(`The first answer is a ${answer.status}.`);
}
