import { once } from "node:events";
import { stat } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, describe, expect, it, test } from "vitest";
import * as z from "zod/mini";
import { readControlFile } from "../../../../local/control/control-file.ts";
import { ControlRefusal, serveRoute } from "../../../../local/control/control-route.ts";
import { type Control, startControl } from "../../../../local/control/control-server.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const half = {
  name: "half",
  input: z.object({ number: z.number() }),
  output: z.object({ half: z.number() }),
};
const routes = [
  serveRoute(half, ({ number }) => {
    if (number < 0) throw new ControlRefusal("No halves of what is owed.");
    if (number === 0) throw new Error("a secret of the service");
    return { half: number / 2 };
  }),
];

const running: Control[] = [];
afterEach(async () => {
  for (const control of running.splice(0)) await control.close();
});

/** A channel, and a function that calls it as any program of the machine can. */
async function startChannel() {
  const dataDir = scratchDirectory();
  const reports: string[] = [];
  running.push(await startControl({ dataDir, routes, log: (line) => reports.push(line) }));
  const { endpoint = "", key = "", pid } = (await readControlFile(dataDir)) ?? {};
  /** Node's `fetch` sets `Host` itself. */
  const ask = async (
    headers: Readonly<Record<string, string>> = {},
    body = '{"number":3}',
    path = "/half",
    method = "POST",
  ) => {
    const given = Object.entries({ authorization: "Bearer KEY", ...headers });
    const sent = request(`${endpoint}${path}`, {
      method,
      headers: Object.fromEntries(given.map(([name, value]) => [name, value.replace("KEY", key)])),
    });
    sent.end(method === "POST" ? body : undefined);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: await json(response) };
  };
  return { dataDir, endpoint, key, pid, ask, reports };
}

describe("the control channel of a start", () => {
  it("answers a program that has the key", async () => {
    const { ask } = await startChannel();
    expect(await ask()).toEqual({ status: 200, body: { half: 1.5 } });
  });

  it.each<[string, Record<string, string>, number]>([
    ["no key", { authorization: "" }, 401],
    ["another key", { authorization: "Bearer KEYX" }, 401],
    ["another scheme", { authorization: "Basic KEY" }, 401],
    ["a page's origin", { origin: "https://evil.example" }, 403],
    ["a sandboxed page's origin", { origin: "null" }, 403],
    ["an origin on this machine", { origin: "http://127.0.0.1:3000" }, 403],
    ["a foreign name that points here", { host: "rebound.evil.example" }, 403],
    ["a name that only begins like ours", { host: "localhost.evil.example:80" }, 403],
  ])("refuses %s, and runs nothing", async (_, headers, status) => {
    const { ask, reports } = await startChannel();
    // The route would report this input.
    expect((await ask(headers, '{"number":0}')).status).toBe(status);
    expect(reports).toEqual([]);
  });

  it.each(["127.0.0.1", "localhost:1", "[::1]:80"])(
    "answers to the name %s of this machine",
    async (host) => {
      const { ask } = await startChannel();
      expect((await ask({ host })).status).toBe(200);
    },
  );

  it("tells the caller why a route refuses, and keeps other errors to itself", async () => {
    const { ask, reports } = await startChannel();
    expect(await ask({}, '{"number":-1}')).toEqual({
      status: 409,
      body: { message: "No halves of what is owed." },
    });
    const { status, body } = await ask({}, '{"number":0}');
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining("secret")]);
    expect(reports).toEqual([expect.stringContaining("a secret of the service")]);
  });

  it("names the member of an input that is not understood", async () => {
    const { ask } = await startChannel();
    const { status, body } = await ask({}, '{"number":"3"}');
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining("number")]);
  });

  it("refuses a body that is not JSON or too large, another method, and an unknown route", async () => {
    const { ask } = await startChannel();
    expect((await ask({}, "{")).status).toBe(400);
    expect((await ask({}, `"${"x".repeat(1_048_574)}"`)).status).toBe(409);
    expect((await ask({}, `"${"x".repeat(1_048_575)}"`)).status).toBe(400);
    expect((await ask({}, "", "/half", "GET")).status).toBe(404);
    expect((await ask({}, "{}", "/other")).status).toBe(404);
  });
});

test("the address is readable by its owner only, is new in each start, and goes with the channel", async () => {
  const first = await startChannel();
  const second = await startChannel();
  const { mode } = await stat(join(first.dataDir, "control.json"));
  expect(mode & 0o777).toBe(0o600);
  expect(first.pid).toBe(process.pid);
  expect(first.key).not.toBe(second.key);
  expect(first.endpoint).not.toBe(second.endpoint);
  for (const control of running.splice(0)) await control.close();
  expect(await readControlFile(first.dataDir)).toBeUndefined();
});

test("a file that holds something else is not an address", async () => {
  const { dataDir } = await startChannel();
  const { writePrivateFile } = await import("../../../../local/store/private-file.ts");
  for (const text of ["", "{}", "[]", '{"pid":1,"endpoint":"http://127.0.0.1:1"}']) {
    await writePrivateFile(dataDir, "control.json", text);
    expect(await readControlFile(dataDir)).toBeUndefined();
  }
});
