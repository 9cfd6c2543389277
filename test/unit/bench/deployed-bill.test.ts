import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deployedTerms, durationMs, sumOf, WHOLE_CORE_MB, workMs } from "../../../bench/deployed-bill.ts";
import { aimsText, readResults } from "../../../bench/results.ts";
import { accessLineOf, loggedBytes, PLATFORM_LINES } from "../../../bench/support/log-lines.ts";
import { type Usage, usagesOf } from "../../../bench/usage.ts";
import { endpoints } from "../../../infra/endpoints.ts";
import { prices } from "../../../ops/prices.ts";
import { sampleChain, sampleEvent } from "../../support/chain.ts";
import { projectText } from "../../support/project.ts";

const GB = 1024 ** 3;
const nothing: Usage = {
  endpoint: "none",
  way: "ours",
  cpuMs: 0,
  storeCalls: 0,
  readUnits: 0,
  writeUnits: 0,
  bytesOut: 0,
  logBytes: 0,
  platformBytes: 0,
};
const whole = { memoryMb: WHOLE_CORE_MB, systemLogLevel: "INFO" } as const;

describe("the time of a call", () => {
  test("is its CPU on a whole core, twice that on half of one, and no less on several", () => {
    expect(workMs(10, WHOLE_CORE_MB)).toBe(10);
    expect(workMs(10, WHOLE_CORE_MB / 2)).toBe(20);
    expect(workMs(10, WHOLE_CORE_MB * 2)).toBe(10);
  });

  test("contains the waits for the store, which no memory shortens", () => {
    const waits = { ...nothing, storeCalls: 3 };
    expect(durationMs(waits, 128)).toBe(durationMs(waits, 10_240));
    expect(durationMs(waits, 128)).toBeGreaterThan(0);
  });
});

describe("the bill of a million calls", () => {
  test("has whole milliseconds of each call: a call that takes a little more than ten pays for eleven", () => {
    const computeOf = (cpuMs: number): number => deployedTerms({ ...nothing, cpuMs }, whole).compute;
    const msPrice = (WHOLE_CORE_MB / 1_024) * 1_000 * prices.lambdaPerGbSecond;
    expect(computeOf(10)).toBeCloseTo(prices.lambdaPerMillion + 10 * msPrice, 6);
    expect(computeOf(10.001)).toBeCloseTo(prices.lambdaPerMillion + 11 * msPrice, 6);
  });

  test("has every byte of the log lines: a GB of a million calls costs what a GB costs", () => {
    const lines = { ...nothing, logBytes: GB / 2_000_000, platformBytes: GB / 2_000_000 };
    expect(deployedTerms(lines, whole).logs).toBeCloseTo(prices.logsPerGb, 9);
    expect(deployedTerms(lines, { ...whole, systemLogLevel: "WARN" }).logs).toBeCloseTo(
      prices.logsPerGb / 2,
      9,
    );
  });

  test("grows with each thing that a call uses, and with nothing that it does not use", () => {
    const amount = fc.integer({ min: 0, max: 1_000 });
    const usages = fc.record({
      cpuMs: amount,
      storeCalls: amount,
      readUnits: amount,
      writeUnits: amount,
      bytesOut: amount,
      logBytes: amount,
      platformBytes: amount,
    });
    fc.assert(
      fc.property(usages, fc.constantFrom(...Object.keys(nothing).slice(2)), (usage, member) => {
        const less = { ...nothing, ...usage };
        const more = { ...less, [member]: (less[member as keyof Usage] as number) + 1 };
        expect(sumOf(deployedTerms(more, whole))).toBeGreaterThan(sumOf(deployedTerms(less, whole)));
      }),
    );
  });
});

test("the last measurements have what the bill of every endpoint needs", async () => {
  const ours = usagesOf(await readResults()).filter(({ way }) => way === "ours");
  const billed = ours.map(({ endpoint }) => endpoint.split(",")[0]);
  expect(new Set(billed)).toEqual(new Set(endpoints.map(({ contract }) => contract.name)));
});

test("docs/performance.md has the aims that the last measurements reach or miss", async () => {
  const page = projectText("docs/performance.md");
  expect(page).toContain(`\n${aimsText(await readResults())}\n`);
});

test("the bill leaves out no tenth of the line that a request writes today", async () => {
  const { call, lines } = sampleChain();
  await call(sampleEvent());
  const today = loggedBytes(lines.map((line) => JSON.stringify(line)));
  const { footprint } = await readResults();
  const measured = (footprint?.figures ?? []).filter(({ what }) => what.endsWith(": log lines"));
  expect(measured).toHaveLength(endpoints.length);
  // `npm run bench -- --only footprint` measures the lines again, and `npm run write -- scaling` writes what follows from them.
  for (const { ours } of measured) expect(ours.median).toBeGreaterThan(0.9 * today);
});

describe("the lines of a log", () => {
  test("count with 26 bytes each beside their text, in bytes and not in characters", () => {
    expect(loggedBytes([])).toBe(0);
    expect(loggedBytes(["é", "a"])).toBe(2 + 1 + 2 * 26);
  });

  test("of Lambda are a start and a report", () => {
    expect(PLATFORM_LINES.map((line) => JSON.parse(line).type)).toEqual([
      "platform.start",
      "platform.report",
    ]);
  });

  test("of the gateway keep the text around their variables", () => {
    expect(accessLineOf('{"a":"$context.status","b":"$context.error.message"}')).toBe('{"a":"***","b":"*"}');
  });
});
