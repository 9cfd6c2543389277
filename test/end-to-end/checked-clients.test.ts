import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { judgeClient } from "../../ops/check-client/judge-client.ts";
import { type InterfaceName, interfaceNames } from "../../ops/check-client/scene.ts";
import type { RunEnd } from "../../ops/check-client/visit.ts";
import type { Finding } from "../../ops/checks/rule.ts";
import { startServiceFor } from "../support/checked-client.ts";
import { clientPrograms } from "../support/client-program.ts";
import { runOperator } from "../support/operator.ts";
import { projectRoot } from "../support/project.ts";

const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
/** Each scene starts the client anew: it keeps its compiled code. */
const env = { PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, NODE_COMPILE_CACHE };

const hasPython = spawnSync("python3", ["-c", "import cryptography"]).status === 0;

/** A program that is checked, as its reader would start it. */
type CheckedProgram = readonly [file: string, name: InterfaceName, program: string, args: readonly string[]];

const poll = ["--every", "0.1", "loyalty-checked-1"];
const programs: readonly CheckedProgram[] = [
  ["docs/examples/typescript/list-trades.ts", "exchange", process.execPath, ["BTC-USD"]],
  ["docs/examples/typescript/poll-pass.ts", "passes", process.execPath, poll],
  ["docs/examples/python/list_trades.py", "exchange", "python3", ["BTC-USD"]],
  ["docs/examples/python/poll_pass.py", "passes", "python3", poll],
];

/** A client that does not read several windows shows nothing of the border of two. */
const bordersOf = (name: InterfaceName): readonly string[] => [
  `${name}/window-no-overlap`,
  `${name}/window-no-gap`,
];

function expectNoFault(findings: readonly Finding[], unseen: readonly string[]): void {
  const of = (verdict: Finding["verdict"]) => findings.filter((finding) => finding.verdict === verdict);
  expect(of("fail")).toEqual([]);
  expect(of("not checked").map(({ id }) => id)).toEqual(unseen);
}

const RUNS_MAX = 40;

/** Lets a program of the client meet every scene, by a clock that only its waits move. */
async function checkHere(interfaceName: InterfaceName): Promise<Finding[]> {
  let nowMs = systemClock();
  const now = () => nowMs;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  await using service = await startServiceFor(interfaceName, now);
  const runs: RunEnd[] = [];
  let copy = "";
  const show = (record: unknown): void => {
    copy += `${JSON.stringify(record)}\n`;
  };
  do {
    const run = service.beginRun();
    const ended = clientPrograms[interfaceName]?.(service.variables, show, { now, sleep });
    const code = await ended?.then(
      () => 0,
      () => 1,
    );
    runs.push({ run, endedMs: nowMs, ...(code !== undefined && { code }) });
  } while (service.hasMore && runs.length < RUNS_MAX);
  const { visits, astray, baseUrl, issued } = service;
  const { publicKeyHex } = issued;
  const seen = { visits, runs, astray, copy, baseUrl, publicKeyHex, brand: contractBrand };
  return judgeClient({ interfaceName, ...seen, patienceMs: 15_000, now: nowMs });
}

describe("check-client finds no fault", () => {
  // A check mostly waits, as it tells its client to.
  test.concurrent.each<CheckedProgram>(
    programs.filter(([, , program]) => hasPython || program !== "python3"),
  )(
    "in %s, on the interface %s",
    async (file, name, program, given) => {
      const args = ["check-client", "--interface", name, "--json", "--", program, file, ...given];
      const { code, stdout } = await runOperator(args, { cwd: projectRoot, env });
      expectNoFault(JSON.parse(stdout), name === "exchange" ? bordersOf(name) : []);
      expect(code).toBe(0);
    },
    60_000,
  );

  test.each(interfaceNames)("in the client, on the interface %s", async (name) => {
    expectNoFault(await checkHere(name), name === "business" ? bordersOf(name) : []);
  });
});
