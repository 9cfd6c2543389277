import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { askControl } from "../../ops/control/ask-control.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { startCommand } from "../support/started-service.ts";

const nothing = { name: "no-such-route", input: z.object({}), output: z.object({}) };
const ask = (data: string): Promise<unknown> =>
  askControl(data, nothing, {}).catch((error: Error) => error.message);

test("npm start has a control channel while it runs, on no path of the gateway's port", async () => {
  const data = scratchDirectory();
  expect(await ask(data)).toContain("No `npm start` runs");
  const service = await startCommand(["--port", "0", "--tls-port", "0", "--data", data]);
  expect(await ask(data)).toContain("This start has no such route.");
  const { key } = JSON.parse(await readFile(join(data, "control.json"), "utf8")) as { key: string };
  const { baseUrl } = JSON.parse(await readFile(join(data, "demo.json"), "utf8")) as { baseUrl: string };
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await fetch(`${baseUrl}/no-such-route`, { method: "POST", headers, body: "{}" });
  expect(status).toBe(404);
  await service.stop();
  expect(await ask(data)).toContain("No `npm start` runs");
});
