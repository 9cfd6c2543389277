import { afterAll, expect, test } from "vitest";
import { startCommand } from "../../bench/support/start-command.ts";
import { startEngine } from "../support/engine.ts";
import { fillEngine } from "../support/filled-demo.ts";
import { countsOf, runOperator } from "../support/operator.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { sellOrder } from "./ops/records.ts";

const engine = await startEngine("dynalite");
await fillEngine(engine);
afterAll(() => engine.close());

test("commands after a start go by the words it was told, and know which engine has the records", async () => {
  const data = scratchDirectory();
  const start = (...more: string[]) =>
    startCommand(["--port", "0", "--data", data, "--dynamodb-endpoint", engine.endpoint, ...more]);
  // The demo in the engine says "service".
  const service = await start(
    "--own-account",
    "housebank",
    "--header-prefix",
    "X-House-",
    "--base-path",
    "/api",
  );
  expect(service.announced.slice(-3)).toEqual([
    'Warning: The demo records say "service", not "housebank": start with --fresh to rewrite them.',
    "",
    "Ctrl-C stops it.",
  ]);
  expect(await runOperator(["keys", "list", "--data", data])).toMatchObject({ code: 0, stderr: "" });
  await service.stop();
  const forgotten = await runOperator(["keys", "list", "--data", data]);
  expect(forgotten.stderr).toContain(`Give --dynamodb-endpoint ${engine.endpoint}`);
  const input = sellOrder("01ARZ3NDEKTSV4RRFFQ69G5FAV", "housebank");
  const args = ["--partner", "acme", "-", "--new", "--data", data, "--dynamodb-endpoint", engine.endpoint];
  expect(countsOf(await runOperator(["import", "sell-orders", ...args], { input }))).toMatchObject({
    written: 1,
  });
  const explained = await runOperator(["sign", "GET", "http://h/x", "--explain", "--data", data]);
  expect(explained.stdout).toMatch(/X-House-API-Key is missing/);
});
