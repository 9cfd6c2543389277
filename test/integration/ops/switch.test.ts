import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { endpoints } from "../../../infra/endpoints.ts";
import type { Stage } from "../../../infra/stage.ts";
import { systemClock } from "../../../lib/clock.ts";
import { SwitchStore } from "../../../lib/switches/switch-store.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../../local/store/local-account.ts";
import { auditOf } from "../../support/audit.ts";
import { denied, type FakeAws, startFakeStage } from "../../support/fake-aws.ts";
import { heldStore } from "../../support/held-store.ts";
import { failing, runOperator } from "../../support/operator.ts";
import { testStage } from "../../support/test-stage.ts";
import { withStore } from "../../support/with-store.ts";

const stage: Stage = testStage({ account: LOCAL_ACCOUNT, region: LOCAL_REGION });
vi.mock("../../../ops/store/stage-file.ts", () => ({ readStageFile: () => stage }));

async function switchboard() {
  const { data, [Symbol.asyncDispose]: end } = await heldStore();
  return {
    data,
    run: (...args: string[]) => runOperator(["switch", ...args, "--data", data]),
    read: (name: string) =>
      withStore({ data }, ({ table }) => new SwitchStore(table("Settings"), systemClock).get(name)),
    [Symbol.asyncDispose]: end,
  };
}

describe("a switch", () => {
  test("that is thrown is read by its endpoint, and by no other", async () => {
    await using board = await switchboard();
    expect(await board.run("get-sell-order", "off", "--reason", "provider down")).toMatchObject({ code: 0 });
    expect(await board.read("get-sell-order")).toEqual({ on: false, reason: "provider down" });
    expect(await board.read("get-transaction")).toEqual({ on: true });
    expect(await board.run("get-sell-order", "on")).toMatchObject({ code: 0 });
    expect(await board.read("get-sell-order")).toEqual({ on: true });
  });

  test("tells where it stands, alone or with all the others", async () => {
    await using board = await switchboard();
    await board.run("get-transaction", "off", "--reason", "migration");
    const [, one] = (await board.run("get-transaction", "status")).stdout.split("\n");
    expect(one).toMatch(/^get-transaction {2}off: migration {2}\d{4}-\S+Z {2}local:\S+$/);
    for (const args of [[], ["status"]]) {
      const { stdout } = await board.run(...args);
      const names = stdout
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(" ")[0]);
      expect(names).toEqual(endpoints.map(({ contract }) => contract.name));
      expect(stdout).toMatch(/^get-transaction +off: migration +\d{4}-/m);
      expect(stdout).toMatch(/^get-sell-order +on +- +-$/m);
    }
  });

  test("tells programs who set it and when; the audit has a line of each change", async () => {
    await using board = await switchboard();
    const off = JSON.parse((await board.run("get-pass", "off", "--reason", "x", "--json")).stdout);
    expect(off).toMatchObject({ endpoint: "get-pass", isOn: false, reason: "x" });
    const [status] = JSON.parse((await board.run("get-pass", "status", "--json")).stdout);
    expect(status).toEqual(off);
    await board.run("get-pass", "on");
    const all: Record<string, unknown>[] = JSON.parse((await board.run("status", "--json")).stdout);
    expect(all.find(({ endpoint }) => endpoint === "get-pass")).toMatchObject({
      isOn: true,
      reason: null,
      setBy: off.setBy,
    });
    expect(await auditOf(board.data)).toEqual([
      { command: "switch off", target: "endpoint get-pass", reason: "x" },
      { command: "switch on", target: "endpoint get-pass" },
    ]);
  });

  test.each([
    [["get-nothing", "off", "--reason", "x"], /^There is no endpoint "get-nothing"\. .*get-sell-order/],
    [["get-sell-order", "off"], /^Say why with --reason TEXT/],
    [["get-sell-order", "off", "--reason", " "], /^Say why with --reason TEXT/],
    [["get-sell-order", "off", "--reason", "\u001b[2Jgone"], /^Say why with --reason TEXT/],
    [["get-sell-order", "off", "--reason", `see ${"Ab1".repeat(11)}`], /looks like a key or a token/],
    [["get-sell-order", "on", "--reason", "x"], /goes with `off` only/],
    [["get-sell-order", "over"], /give off, on or status/],
    [["get-sell-order", "off", "--reason", "x", "--mute", "2h"], /^--mute needs a deployed stage/],
    [["get-sell-order", "on", "--mute", "2h"], /^--mute goes with `off` only/],
    [["get-sell-order", "off", "--reason", "x", "--mute", "361h"], /whole minutes or hours up to 360h/],
    [["get-sell-order", "off", "--reason", "x", "--mute", "90s"], /whole minutes or hours up to 360h/],
    [["status", "on"], /^There is no endpoint "status"/],
  ])("is not thrown by %j", async (args, line) => {
    await using board = await switchboard();
    expect(await board.run(...args)).toMatchObject(failing(line));
    expect(await board.read("get-sell-order")).toEqual({ on: true });
  });
});

describe("the switch of a stage", () => {
  const ALARM = "countinghouse-test-switched-off-get-pass";
  let aws: FakeAws;

  beforeAll(async () => {
    aws = await startFakeStage();
  });
  afterAll(() => aws.close());
  beforeEach(() => {
    aws.answers.clear();
    aws.answers.set("cloudwatch:PutAlarmMuteRule", () => ({}));
    aws.answers.set("cloudwatch:DeleteAlarmMuteRule", () => ({}));
  });

  /** Runs a command, and keeps what it asked CloudWatch. */
  const throwIt = async (...args: string[]) => {
    const before = aws.calls.length;
    const run = await runOperator(["switch", "get-pass", ...args, "--stage", "test"]);
    const asked = aws.calls.slice(before).filter(({ name }) => name.startsWith("cloudwatch:"));
    return { ...run, asked };
  };
  const lastTarget = async () => (await auditOf("", { stage: "test" })).at(-1)?.target;

  test("mutes the alarm that reminds of it and no other, for a time that ends by itself, and says so", async () => {
    const before = systemClock();
    const { code, stdout, asked } = await throwIt("off", "--reason", "a move", "--mute", "2h", "--json");
    expect([code, asked.map(({ name }) => name)]).toEqual([0, ["cloudwatch:PutAlarmMuteRule"]]);
    const { mutedUntil } = JSON.parse(stdout);
    const from = Date.parse(mutedUntil) - 2 * 3_600_000;
    expect(from - before).toBeGreaterThanOrEqual(0);
    expect(from - before).toBeLessThan(120_000);
    expect(asked[0]?.input).toEqual({
      Name: ALARM,
      Description: "a move",
      Rule: {
        Schedule: { Expression: `at(${new Date(from).toISOString().slice(0, 16)})`, Duration: "PT120M" },
      },
      MuteTargets: { AlarmNames: [ALARM] },
    });
    expect(await lastTarget()).toBe(`endpoint get-pass, its alarm muted until ${mutedUntil}`);
  });

  test("ends that time when it is switched on, also where CloudWatch does not let it", async () => {
    const { code, asked } = await throwIt("on");
    expect([code, asked]).toEqual([
      0,
      [{ name: "cloudwatch:DeleteAlarmMuteRule", input: { AlarmMuteRuleName: ALARM } }],
    ]);
    aws.answers.set("cloudwatch:DeleteAlarmMuteRule", () => denied("cloudwatch:DeleteAlarmMuteRule"));
    expect(await throwIt("on")).toMatchObject({
      code: 0,
      stdout: "get-pass is on (within five seconds)\n",
      stderr: expect.stringMatching(/^If the alarm of get-pass was muted, .*cloudwatch:DeleteAlarmMuteRule/),
    });
  });

  test("is off although its alarm could not be muted, which is an error", async () => {
    aws.answers.set("cloudwatch:PutAlarmMuteRule", () => denied("cloudwatch:PutAlarmMuteRule"));
    expect(await throwIt("off", "--reason", "a move", "--mute", "30m")).toMatchObject(
      failing(/^get-pass is off, but its alarm is not muted: these AWS credentials/),
    );
    expect(await lastTarget()).toBe("endpoint get-pass");
  });

  test("asks CloudWatch nothing without --mute, and in a dry run", async () => {
    expect((await throwIt("off", "--reason", "x")).asked).toEqual([]);
    const dry = await throwIt("off", "--reason", "x", "--mute", "2h", "--dry-run");
    expect([dry.asked, dry.stdout]).toEqual([
      [],
      expect.stringMatching(/^get-pass would be off: x, its alarm muted until \S+Z\n$/),
    ]);
  });
});
