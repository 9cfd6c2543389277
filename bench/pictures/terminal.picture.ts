import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { scratchDirectory } from "../../test/support/scratch.ts";
import { svgOfTerminal } from "./ansi-svg.ts";
import { darkColours, PORT, pictureFile } from "./place.ts";

const COLUMNS = 100;

/** Runs a command on a terminal, and settles once it has printed a text. Its output goes on to be collected. */
async function onTerminal(command: string, until: string) {
  // `script` of util-linux gives the command a terminal of its own.
  const shell = `stty cols ${COLUMNS} rows 40 -echo; exec ${command}`;
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...environment } = process.env;
  const child = spawn("script", ["--quiet", "--return", "--command", shell, "/dev/null"], {
    env: { ...environment, TERM: "xterm-256color" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const printed = { text: "" };
  child.stdout.setEncoding("utf8");
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed.text += chunk;
    if (printed.text.includes(until)) break;
  }
  child.stdout.on("data", (chunk: string) => (printed.text += chunk));
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.stdin.write("\u0003");
    await ended;
  };
  return { printed, stop };
}

const ops = (...words: readonly string[]) =>
  promisify(execFile)(process.execPath, ["--import", "./local/require-node.mjs", "ops/main.ts", ...words]);

/** Some requests as a developer sends them, with an answer of each colour. The last one is not found. */
async function sendRequests(data: string): Promise<void> {
  const { baseUrl, business, ramp } = JSON.parse(await readFile(join(data, "demo.json"), "utf8")) as DemoFile;
  const key = { "X-API-KEY": ramp.apiKey };
  const order = `${baseUrl}/sell-orders/${ramp.orderId}`;
  const send = async (url: string, headers: Record<string, string>) => (await fetch(url, { headers })).status;
  expect(await send(order, key)).toBe(200);
  expect(await send(`${baseUrl}/transactions?count=5`, { Authorization: `Bearer ${business.token}` })).toBe(
    200,
  );
  expect(await send(order, { "X-API-KYE": ramp.apiKey })).toBe(401);
  await ops("demo", "fault", "get-sell-order", "gateway-503", "--times", "1", "--data", data);
  expect(await send(order, key)).toBe(503);
  expect(await send(`${baseUrl}/sell-orders/${ramp.otherOrderId}`, key)).toBe(404);
}

test("docs/images/terminal.svg shows a start and some requests", { timeout: 120_000 }, async () => {
  const data = scratchDirectory();
  const start = `npm start --silent -- --port ${PORT} --data ${data}`;
  const { printed, stop } = await onTerminal(start, "Ctrl-C stops it.");
  let shown = "";
  try {
    await sendRequests(data);
    await expect.poll(() => printed.text, { timeout: 5_000 }).toContain("404");
    shown = printed.text;
  } finally {
    await stop();
  }
  // As they are with the data directory of a plain start.
  const own = shown.replaceAll(` --data '${data}'`, "").replaceAll(data, ".countinghouse");
  const title = "A terminal with npm start: the address, commands to try, and a line for each request";
  await writeFile(
    pictureFile("terminal.svg"),
    svgOfTerminal(`$ npm start\n\n${own}`, COLUMNS, title, darkColours()),
  );
});
