import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { DemoFile } from "../local/demo/demo-file.ts";
import { buildPackage } from "../package/pack.ts";
import { type Figure, figureOfPairs, type Measurement } from "./figure.ts";

const PAIRS = 3;
const START_OPTIONS = "--port 0 --tls-port 0 --data data";
const projectRoot = path.join(import.meta.dirname, "..");

export const firstAnswer: Measurement = {
  name: "first-answer",
  about:
    "From nothing to the first answered request for a sell order: `npm install` of the packed tarball into an empty folder, " +
    "with an empty cache and no network, and `npx countinghouse`; against `git clone` of this repository, `npm ci` with every " +
    "package in npm's cache already, and `npm start`, which synthesizes the template. Without the cache, a clone downloads half " +
    "a gigabyte first.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const directory = await mkdtemp(path.join(tmpdir(), "countinghouse-bench-"));
  try {
    const { tarball } = await buildPackage(directory, () => {});
    const pairs: [number, number][] = [];
    for (let pair = 0; pair < PAIRS; pair += 1)
      pairs.push([
        await secondsOf(path.join(directory, `folder-${pair}`), [
          `npm install --offline --no-audit --no-fund --cache cache '${tarball}'`,
          `exec npx countinghouse ${START_OPTIONS}`,
        ]),
        await secondsOf(path.join(directory, `clone-${pair}`), [
          `git clone --quiet '${projectRoot}' .`,
          "npm ci --prefer-offline --no-audit --no-fund",
          `exec npm start -- ${START_OPTIONS}`,
        ]),
      ]);
    return [
      figureOfPairs({ what: "from nothing to the first answer", unit: "s", peerName: "a clone" }, pairs),
    ];
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Seconds until the last of these lines, run one after the other in a new folder, has answered its first request. */
async function secondsOf(folder: string, lines: readonly string[]): Promise<number> {
  await mkdir(folder);
  const beganMs = performance.now();
  const child = spawn("bash", ["-c", lines.join(" && ")], {
    cwd: folder,
    env: ownEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  try {
    await announced(child);
    await askOnce(folder);
    return (performance.now() - beganMs) / 1_000;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
    await once(child, "close");
  }
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
