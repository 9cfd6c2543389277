import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { writeControlFile } from "../../../../local/control/control-file.ts";
import { ControlRefusal, serveRoute } from "../../../../local/control/control-route.ts";
import { type Control, startControl } from "../../../../local/control/control-server.ts";
import { OperatorError } from "../../../../local/process/operator-error.ts";
import { writeHolder } from "../../../../local/store/data-lock.ts";
import { writePrivateFile } from "../../../../local/store/private-file.ts";
import { askControl } from "../../../../ops/control/ask-control.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const half = {
  name: "half",
  input: z.object({ number: z.number() }),
  output: z.object({ half: z.number() }),
};
const served = serveRoute(half, ({ number }) => {
  if (number < 0) throw new ControlRefusal("No halves of what is owed.");
  if (number === 0) throw new Error("a fault");
  return { half: number / 2 };
});

const running: Control[] = [];
afterEach(async () => {
  for (const control of running.splice(0)) await control.close();
});

const holder = { kind: "gateway", endpoint: "http://127.0.0.1:1", accessKeyId: "KEY" } as const;

async function startOn(data: string): Promise<void> {
  await writeHolder(data, holder);
  running.push(await startControl({ dataDir: data, routes: [served], log: () => {} }));
}

const ask = (data: string, number = 3) => askControl(data, half, { number });

/** The message of the error that a call is refused with. */
async function complaintOf(asked: Promise<unknown>): Promise<string> {
  const error: unknown = await asked.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OperatorError);
  return (error as OperatorError).message;
}

describe("a command asks the service that runs on a data directory", () => {
  it("gets the output of the route", async () => {
    const data = scratchDirectory();
    await startOn(data);
    expect(await ask(data)).toEqual({ half: 1.5 });
  });

  it("is told in the service's own words why it is refused", async () => {
    const data = scratchDirectory();
    await startOn(data);
    expect(await complaintOf(ask(data, -1))).toBe("No halves of what is owed.");
  });

  it("is told where to look after a fault, and that an unknown route is another version's", async () => {
    const data = scratchDirectory();
    await startOn(data);
    expect(await complaintOf(ask(data, 0))).toContain("in the output of `npm start`");
    const other = { ...half, name: "other" };
    expect(await complaintOf(askControl(data, other, { number: 1 }))).toContain("start it again");
    const changed = { ...half, output: z.object({ quarter: z.number() }) };
    expect(await complaintOf(askControl(data, changed, { number: 1 }))).toContain("start it again");
  });

  it("learns that nothing runs on a directory that is missing, unused, left by a killed process, or a command's", async () => {
    const none = /^No `npm start` runs on .+--data\.$/;
    expect(await complaintOf(ask("/nonexistent/directory"))).toMatch(none);
    const data = scratchDirectory();
    expect(await complaintOf(ask(data))).toMatch(none);
    await writeControlFile(data, { endpoint: "http://127.0.0.1:1", key: "k" });
    expect(await complaintOf(ask(data))).toMatch(none);
    const killed = { pid: 2 ** 30, ...holder };
    await writePrivateFile(data, "engine.json", JSON.stringify(killed));
    expect(await complaintOf(ask(data))).toMatch(none);
    await writeHolder(data, { ...holder, kind: "command" });
    expect(await complaintOf(ask(data))).toMatch(none);
  });

  it("learns that the service is on another machine", async () => {
    const data = scratchDirectory();
    await writePrivateFile(data, "engine.json", JSON.stringify({ pid: 1, host: "elsewhere", ...holder }));
    expect(await complaintOf(ask(data))).toContain("on the machine or in the container elsewhere");
  });

  it("learns that a start is not ready, also beside the address of a start before it", async () => {
    const data = scratchDirectory();
    await writeHolder(data, holder);
    expect(await complaintOf(ask(data))).toContain("is not ready");
    const left = { pid: process.pid + 1, endpoint: "http://127.0.0.1:1", key: "k" };
    await writePrivateFile(data, "control.json", JSON.stringify(left));
    expect(await complaintOf(ask(data))).toContain("is not ready");
  });

  it("learns that a service does not answer", async () => {
    const data = scratchDirectory();
    await writeHolder(data, holder);
    await writeControlFile(data, { endpoint: "http://127.0.0.1:1", key: "k" });
    expect(await complaintOf(ask(data))).toContain("does not answer");
  });
});
