import { createServer } from "node:http";
import { userInfo } from "node:os";
import { ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { scan } from "../../../lib/dynamo/scan.ts";
import { actorOf } from "../../../ops/audit/actor.ts";
import { type AuditLine, lineOf } from "../../../ops/audit/audit-register.ts";
import { audited, recordChange } from "../../../ops/audit/record-change.ts";
import type { OperatorStore } from "../../../ops/store/operator-store.ts";
import { type Engine, startEngine } from "../../support/engine.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";

const change = { command: "passes void", target: "pass demo-1" } as const;
const NOW = Date.parse("2026-11-30T23:59:59.990Z");

let engine: Engine;
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
});
beforeEach(async () => {
  engine = await startEngine("dynalite");
});
afterEach(() => engine.close());
afterAll(() => vi.useRealTimers());

const store = (): OperatorStore => ({
  table: (name) => engine.table(name),
  brand: contractBrand,
  name: "the test's store",
  close: async () => {},
});

/** A store whose audit takes so many lines and then no more. */
function storeThatTakes(lines: number): OperatorStore {
  let written = 0;
  const isGone = () => {
    written += 1;
    return written > lines;
  };
  const send = async (command: never) => {
    if (isGone()) throw new ResourceNotFoundException({ message: "gone", $metadata: {} });
    return await engine.client.send(command);
  };
  const client = { send } as unknown as Engine["client"];
  return { ...store(), table: (name) => ({ ...engine.table(name), client }) };
}

const linesOf = async (month: string): Promise<AuditLine[]> =>
  (await Array.fromAsync(scan(engine.table("Audit")))).filter((item) => item.month?.S === month).map(lineOf);

const AT = /^2026-11-30T23:59:59\.990Z#[0-9a-f]{8}$/;

describe("a change that was made", () => {
  test("has one line in its month, with who, when, on what, why and how much", async () => {
    await recordChange(store(), { ...change, reason: "it was lost", counts: { voided: 1 } });
    expect(await linesOf("2026-11")).toEqual([
      {
        ...change,
        at: expect.stringMatching(AT),
        actor: `local:${userInfo().username}`,
        reason: "it was lost",
        outcome: "done",
        counts: { voided: 1 },
      },
    ]);
    expect(await linesOf("2026-12")).toEqual([]);
  });

  test("stays, and the error says that the audit lacks it and what to do", async () => {
    await expect(recordChange(storeThatTakes(0), change)).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(
        /^The audit lacks this line: passes void, pass demo-1, done\. What was done stays\. The store \(the test's store\) has no such table\. Run/,
      ),
    });
  });
});

describe("a change that takes long", () => {
  test("has a line when it begins and one when it ends, which names the first", async () => {
    const report = { outcome: "stopped", counts: { written: 3 } } as const;
    const result = await audited(
      store(),
      change,
      async () => {
        expect(await linesOf("2026-11")).toMatchObject([{ ...change, outcome: "begun" }]);
        vi.setSystemTime(NOW + 10);
        return "result";
      },
      () => report,
    );
    expect(result).toBe("result");
    const [begun] = await linesOf("2026-11");
    expect(await linesOf("2026-12")).toMatchObject([{ ...change, ...report, began: begun?.at }]);
    vi.setSystemTime(NOW);
  });

  test("is not begun when its first line cannot be written", async () => {
    const work = vi.fn();
    await expect(audited(storeThatTakes(0), change, work)).rejects.toThrow(
      /^Nothing was changed, because the audit could not be written\. The store .* has no such table\./,
    );
    expect(work).not.toHaveBeenCalled();
  });

  test("is recorded as failed when it throws, and its error is the one that is told", async () => {
    const fault = new Error("the work failed");
    await expect(audited(store(), change, () => Promise.reject(fault))).rejects.toBe(fault);
    expect((await linesOf("2026-11")).map(({ outcome }) => outcome).toSorted()).toEqual(["begun", "failed"]);
  });

  test("fails with the work's error even when the audit then fails too, which is told beside it", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const fault = new Error("the work failed");
    await expect(audited(storeThatTakes(1), change, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(said.mock.calls.join()).toContain("The audit lacks this line: passes void, pass demo-1, failed.");
    said.mockRestore();
  });

  test("ends in an error when only its last line cannot be written", async () => {
    const work = vi.fn(async () => "done");
    await expect(audited(storeThatTakes(1), change, work)).rejects.toThrow(
      /^The audit lacks this line: .*, done\./,
    );
    expect(work).toHaveBeenCalledOnce();
  });
});

describe("the actor", () => {
  /** An STS that answers in this way, and how often it was asked. */
  async function withSts(status: number, body: string, act: () => Promise<void>): Promise<number> {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      request.resume().on("end", () => response.writeHead(status, { "content-type": "text/xml" }).end(body));
    });
    vi.stubEnv("AWS_ENDPOINT_URL_STS", `http://127.0.0.1:${await listenOnLoopback(server)}`);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
    try {
      await act();
      return asked;
    } finally {
      vi.unstubAllEnvs();
      server.close();
    }
  }

  const ARN = "arn:aws:sts::123456789012:assumed-role/operators/ada";
  const ANSWER = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>${ARN}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;

  test("of a stage is the ARN that STS names, which is asked once", async () => {
    const aws = { region: "eu-central-1" };
    const asked = await withSts(200, ANSWER, async () => {
      expect(await actorOf({ aws })).toBe(ARN);
      expect(await actorOf({ aws })).toBe(ARN);
    });
    expect(asked).toBe(1);
  });

  test("of a stage is the access key where STS refuses, so that the change can still be made", async () => {
    await withSts(403, "<ErrorResponse/>", async () => {
      expect(await actorOf({ aws: { region: "eu-central-1" } })).toBe("access-key:AKIAEXAMPLE");
    });
  });

  test("of a store on this machine is the user of this machine", async () => {
    expect(await actorOf({})).toBe(`local:${userInfo().username}`);
  });
});
