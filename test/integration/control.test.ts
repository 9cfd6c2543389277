import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { startService } from "../../local/local-service.ts";
import { askControl } from "../../ops/control/ask-control.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { serviceOptions, silent } from "../support/service-options.ts";

const nothing = { name: "no-such-route", input: z.object({}), output: z.object({}) };
const ask = (data: string): Promise<unknown> =>
  askControl(data, nothing, {}).catch((error: Error) => error.message);

test("npm start has a control channel while it runs, on no path of the gateway's port", async () => {
  const data = await filledDataDirectory();
  expect(await ask(data)).toContain("No `npm start` runs");
  const service = await startService(serviceOptions(data), silent);
  expect(await ask(data)).toContain("This start has no such route.");
  const { key } = JSON.parse(await readFile(join(data, "control.json"), "utf8")) as { key: string };
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await fetch(`${service.demo.baseUrl}/no-such-route`, {
    method: "POST",
    headers,
    body: "{}",
  });
  expect(status).toBe(404);
  await service.close();
  expect(await ask(data)).toContain("No `npm start` runs");
});
