import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { StartError } from "../../local/process/start-error.ts";
import { ExecutionEnvironment } from "../../local/runtime/execution-environment.ts";
import type { FunctionPool } from "../../local/runtime/function-pool.ts";
import { openUncheckedPools } from "../../local/runtime/function-pools.ts";
import type { watchLoad } from "../../local/runtime/load-watch.ts";
import { readApplication } from "../../local/template/template.ts";
import { TemplateError } from "../../local/template/template-error.ts";
import type { FunctionDefinition } from "../../local/template/template-function.ts";
import { apiResources, type EndpointContent, writeAssembly } from "../support/assembly.ts";
import { startTestGateway, type TestGateway } from "../support/local-gateway.ts";

/** Opens the functions of a bundle as `npm start` does, and all that they leave to be ended. */
async function openFunctions(
  endpoints: Readonly<Record<string, EndpointContent>>,
  code: string,
  overrides: Readonly<Record<string, string>> = {},
) {
  const Resources = apiResources(endpoints);
  const application = readApplication(
    writeAssembly({ stacks: { api: { Resources } }, code: { "index.mjs": code } }),
  );
  const store = { endpoint: "http://127.0.0.1:9", admit: async () => {} };
  const running = new AsyncDisposableStack();
  const options = { application, store, overrides, clock: systemClock, log: () => {} };
  return { ...(await openUncheckedPools(options, running)), running };
}

describe("functions whose loading is checked", () => {
  it("and that do not load are named with the reason, all of them, in a line each", async () => {
    const endpoints = {
      good: { routeKey: "GET /good" },
      absent: { routeKey: "GET /absent" },
      late: { routeKey: "GET /late", function: { Handler: "other.handler" } },
    };
    const { check, running } = await openFunctions(endpoints, "export const good = async () => 1;");
    const error = await check().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message.split("\n")).toEqual([
      expect.stringMatching(
        /^The function absent does not load: Error: .*exports no function absent \(at .+\)$/,
      ),
      expect.stringMatching(
        /^The function late does not load: Error: .+ has no module for the handler other\.handler \(at .+\)$/,
      ),
    ]);
    await running.disposeAsync();
  });

  it("of a bundle that throws are named with what it threw, and where", async () => {
    const code = 'throw new TypeError("no such setting");';
    const { check, running } = await openFunctions({ one: { routeKey: "GET /one" } }, code);
    await expect(check()).rejects.toThrow(
      /^The function one does not load: TypeError: no such setting \(at file:.*index\.mjs:1:7\)$/,
    );
    await running.disposeAsync();
  });

  it("and have no environment reserved do not count as faults", async () => {
    const endpoints = { absent: { routeKey: "GET /absent", function: { ReservedConcurrentExecutions: 0 } } };
    const { pools, check, running } = await openFunctions(endpoints, "");
    await check();
    expect(pools.size).toBe(1);
    await running.disposeAsync();
  });

  it("while the service ends do not count as faults", async () => {
    const { check, running } = await openFunctions({ one: { routeKey: "GET /one" } }, "for (;;);");
    const checked = check();
    await running.disposeAsync();
    await checked;
  });

  it("are refused at once for a variable that none of them has", async () => {
    const opened = openFunctions({ one: { routeKey: "GET /one" } }, "", { NO_SUCH_VARIABLE: "x" });
    await expect(opened).rejects.toThrow(TemplateError);
  });

  it("share an environment with the request that comes while it loads", async () => {
    const code = "export const one = async () => `${globalThis.loads = (globalThis.loads ?? 0) + 1}`;";
    const { pools, check, running } = await openFunctions({ one: { routeKey: "GET /one" } }, code);
    const pool = pools.get("one") as FunctionPool;
    const checked = check();
    const [first] = await Promise.all([pool.invoke("{}", "1"), checked]);
    const second = await pool.invoke("{}", "2");
    expect([first, second]).toMatchObject([{ payload: '"1"' }, { payload: '"2"' }]);
    await running.disposeAsync();
  });
});

describe("a bundle that hangs while it is loaded", () => {
  /** Loads a bundle under a watch that lets it hang once it has taken some CPU time. */
  async function load(
    code: string,
  ): Promise<{ readonly cause: string | undefined; readonly usedMs: number }> {
    const Resources = apiResources({ one: { routeKey: "GET /one" } });
    const { functions } = readApplication(
      writeAssembly({ stacks: { api: { Resources } }, code: { "index.mjs": code } }),
    );
    let usedMs = 0;
    const watch: typeof watchLoad = ({ readMs }, hung) => {
      const untilUsed = async (): Promise<void> => {
        // A thread that has not begun yet cannot be asked.
        while (usedMs < 30) usedMs = await readMs().catch(() => new Promise(setImmediate).then(() => 0));
        hung("as the test says");
      };
      void untilUsed();
      return () => {};
    };
    const environment = new ExecutionEnvironment(functions[0] as FunctionDefinition, {
      variables: {},
      clock: systemClock,
      log: () => {},
      watch,
    });
    const cause = await environment.load();
    await environment.close();
    return { cause, usedMs };
  }

  it.each([
    ["in a loop without an end", "for (;;);"],
    ["in an await without an end", "setInterval(() => {}, 1); await new Promise(() => {});"],
  ])("%s is measured while it does, and ended with the cause", async (_, code) => {
    const { cause, usedMs } = await load(`${code} export const one = async () => 1;`);
    expect(cause).toBe("it hangs: as the test says");
    expect(usedMs).toBeGreaterThanOrEqual(30);
  });
});

describe("a bundle that posts messages of its own", () => {
  let gateway: TestGateway | undefined;
  afterEach(() => gateway?.close());

  it("shifts no answer, whatever it posts, while it loads and while it runs", async () => {
    const code = `
      import { parentPort } from "node:worker_threads";
      const noise = [undefined, null, 7, "text", {}, { kind: "ready" }, { id: "1", kind: "ready" }, { kind: "result", payload: '"noise"' }];
      for (const message of noise) parentPort.postMessage(message);
      export const echo = async (event) => {
        for (const message of noise) parentPort.postMessage(message);
        await new Promise(setImmediate);
        setImmediate(() => noise.forEach((message) => parentPort.postMessage(message)));
        return { statusCode: 200, body: event.pathParameters.id };
      };`;
    gateway = await startTestGateway({ endpoints: { echo: { routeKey: "GET /echo/{id}" } }, code });
    const ids = Array.from({ length: 12 }, (_, at) => `${at}`);
    for (const id of ids) expect(await (await fetch(`${gateway.url}/echo/${id}`)).text()).toBe(id);
    const url = gateway.url;
    expect(await Promise.all(ids.map(async (id) => (await fetch(`${url}/echo/${id}`)).text()))).toEqual(ids);
  });
});
