import { describe, expect, test } from "vitest";
import { randomOf } from "../../bench/support/random-of.ts";
import { Failure } from "../../lib/errors.ts";
import type { AdmittedRequest } from "../../lib/http/plan.ts";
import type { getPass } from "../../lib/passes/contract.ts";
import { planGetPass } from "../../lib/passes/get-pass.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { cases } from "../support/cases.ts";
import { clientOver, storeAnswers, type WireAnswer } from "../support/faulty-store.ts";

const READS = cases(4_000);
/** Reads at the same time: an attempt that is repeated waits a moment, even without a reason to wait. */
const LANES = 20;

const pass = storeAnswers.item({ partner_reference: { S: "ref" }, doc: { S: "{}" }, version: { N: "1" } });
const tombstone = storeAnswers.item({ partner_reference: { S: "ref" }, gone_at: { N: "1" } });
const { error } = storeAnswers;

/** Everything that can come back from a read that says nothing about the pass. */
const faults: Readonly<Record<string, WireAnswer>> = {
  "a throttled table": error(400, "ProvisionedThroughputExceededException"),
  "a throttled account": error(400, "ThrottlingException"),
  "too many requests": error(400, "RequestLimitExceeded"),
  "a fault of the service": error(500, "InternalServerError"),
  "a service that is down": error(503, "ServiceUnavailable"),
  "a page of a proxy": { status: 502, body: "<html>Not Found</html>" },
  "a page that says 404": { status: 404, body: "<html>Not Found</html>" },
  "a stall": storeAnswers.stall(),
  "a dead connection": storeAnswers.cut("ECONNRESET"),
  "a refused connection": storeAnswers.cut("ECONNREFUSED"),
  "a name that does not resolve": storeAnswers.cut("ENOTFOUND"),
  "half an answer": { status: 200, body: '{"Item":{"doc":{"S":"' },
  "an empty answer": { status: 200, body: "" },
  "an answer that shows no read": { status: 200, body: "{}" },
  "an item of nobody's making": storeAnswers.item({ partner_reference: { S: "ref" } }),
  "a table that is not there": error(400, "ResourceNotFoundException"),
  "a missing permission": error(400, "AccessDeniedException"),
  "credentials that expired": error(400, "ExpiredTokenException"),
};
const names = Object.keys(faults);

const truths = { published: pass, void: tombstone, absent: storeAnswers.noItem() } as const;
const rightCodes = { published: "200", void: "gone", absent: "not_found" } as const;

const request: AdmittedRequest<typeof getPass> = {
  path: { partner_reference: "ref" },
  query: {},
  headers: { v: "2026-07-01" },
  rawQuery: "",
  principal: { owner: "wallet-1", scopes: [] },
};

async function read(store: PassStore): Promise<string> {
  const { answer } = await planGetPass(store, "V")(request);
  try {
    await answer();
    return "200";
  } catch (thrown) {
    return thrown instanceof Failure ? thrown.code : "fault";
  }
}

describe("a read that failed never counts as a pass that is gone", () => {
  test.each(names)("%s", async (name) => {
    const store = new PassStore({ client: clientOver(() => faults[name] as WireAnswer), name: "passes" });
    expect(["temporarily_unavailable", "fault"]).toContain(await read(store));
  });

  test("a dead connection is replaced silently", async () => {
    const answers = [storeAnswers.cut("ECONNRESET"), pass];
    expect(
      await read(new PassStore({ client: clientOver(() => answers.shift() as WireAnswer), name: "passes" })),
    ).toBe("200");
  });

  test("every read is strongly consistent and by the key", async () => {
    const inputs: unknown[] = [];
    const client = clientOver(({ operation, input }) => {
      inputs.push([operation, input.ConsistentRead, input.Key]);
      return pass;
    });
    await read(new PassStore({ client, name: "passes" }));
    expect(inputs).toEqual([["GetItem", true, { partner_reference: { S: "ref" } }]]);
  });
});

/** Reads one after the other from a store in which four answers in ten prove nothing, and counts the results. */
async function readMany(count: number, seed: number): Promise<Record<string, number>> {
  const random = randomOf(seed);
  const draw = (below: number): number => Math.floor(random() * below);
  let truth: keyof typeof truths = "published";
  const answer = (): WireAnswer =>
    draw(10) < 4 ? (faults[names[draw(names.length)] ?? ""] as WireAnswer) : truths[truth];
  const store = new PassStore({ client: clientOver(answer), name: "passes" });
  const tally: Record<string, number> = {};
  for (let done = 0; done < count; done++) {
    truth = (["published", "void", "absent"] as const)[draw(3)] ?? "published";
    const code = await read(store);
    if (code !== rightCodes[truth] && code !== "temporarily_unavailable" && code !== "fault") {
      throw new Error(`A pass that is ${truth} was answered with ${code}.`);
    }
    tally[code] = (tally[code] ?? 0) + 1;
  }
  return tally;
}

test(`of ${READS} reads over a store that fails at random, each tells the truth or asks to come back`, async () => {
  const lanes = Array.from({ length: LANES }, (_, lane) => readMany(READS / LANES, lane + 1));
  for (const tally of await Promise.all(lanes)) {
    expect(Object.keys(tally).sort()).toEqual([
      "200",
      "fault",
      "gone",
      "not_found",
      "temporarily_unavailable",
    ]);
  }
});
