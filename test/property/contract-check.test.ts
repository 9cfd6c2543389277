import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passRules } from "../../ops/check-pass/check-pass.ts";
import { cases } from "../support/cases.ts";
import { idsOf } from "../support/pass-server.ts";
import {
  anyOrder,
  anyTransport,
  anyVariation,
  checkVariation,
  isRightOrder,
  plain,
  type Variation,
} from "../support/right-pass-servers.ts";
import { breachOf, wrongKinds, wrongSigners } from "../support/wrong-pass-servers.ts";

/** A check takes some hundred requests. */
const RUNS = cases(4);

const jwsRules = passRules.map(({ id }) => id).filter((id) => id.endsWith("-jws"));

/** Rules that no server of this kind can show, even if it keeps them. */
const unseeable = ({ isSigned, limit, troubleEvery }: Variation): string[] => [
  "401-strange-certificate",
  ...(isSigned ? [] : jwsRules),
  ...(limit.status === 429 ? [] : ["request-id-429"]),
  ...(limit.status === 503 || troubleEvery !== undefined ? [] : ["request-id-503"]),
];

const roomy: Partial<Variation> = { limit: { ...plain.limit, requests: 150 } };

describe("a server that keeps the contract", () => {
  test("breaks no rule and is checked completely, whatever the contract leaves open", async () => {
    await fc.assert(
      fc.asyncProperty(anyVariation, async (variation) => {
        const findings = await checkVariation(variation);
        const told = findings.filter(({ verdict }) => verdict !== "pass");
        expect(told.filter(({ id }) => !unseeable(variation).includes(id))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a server that breaks the contract", () => {
  test("is found by its order of checks exactly when that order is wrong", async () => {
    await fc.assert(
      fc.asyncProperty(anyOrder, async (order) => {
        const failed = idsOf(await checkVariation({ ...plain, order }), "fail");
        expect(failed.length === 0, failed.join()).toBe(isRightOrder(order));
      }),
      { numRuns: RUNS },
    );
  });

  const wrong = [
    ...Object.entries(breachOf).map(([id, traits]) => ({ finds: [id], traits })),
    ...Object.values(wrongKinds),
    ...Object.values(wrongSigners).map((kind) => ({ ...kind, signed: { isSigned: true } })),
  ].map((kind) => ({ signed: {}, ...kind }));
  test("is found however its answers are transferred", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTransport,
        fc.constantFrom(...wrong),
        async (transport, { finds, traits, signed }) => {
          const variation = { ...plain, ...roomy, ...transport, ...signed };
          const findings = await checkVariation(variation, traits());
          for (const id of finds) expect(idsOf(findings, "fail")).toContain(id);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("is found by each rule that needs no certificate, so that no rule is useless", () => {
    const ids = passRules.map(({ id }) => id);
    const found = new Set(wrong.flatMap(({ finds }) => finds));
    expect(ids.filter((id) => !found.has(id))).toEqual(["401-strange-certificate"]);
  });
});
