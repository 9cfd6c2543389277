import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../../lib/brand.ts";
import { checkPass, type Finding, rulesOf } from "../../../../../ops/check-pass/check-pass.ts";
import { partnerFaults } from "../../../../../ops/demo/partner/faults.ts";
import { startPartner } from "../../../../../ops/demo/partner/partner.ts";
import { readSigningKey } from "../../../../../ops/wallet/read-signing-key.ts";
import { Wallet } from "../../../../../ops/wallet/wallet.ts";
import { NOW } from "../../../../support/chain.ts";
import { scratchDirectory } from "../../../../support/scratch.ts";

/** Checks a partner with all that its announcement names, by a clock that only waits move. */
async function check(faultName?: string): Promise<Finding[]> {
  let now = NOW;
  const clock = () => now;
  const fault = faultName === undefined ? undefined : partnerFaults.get(faultName);
  const partner = await startPartner({
    port: 0,
    directory: scratchDirectory(),
    brand: contractBrand,
    clock,
    ...(fault !== undefined && { fault }),
  });
  const wallet = new Wallet({
    baseUrl: new URL(partner.url),
    credentials: {
      token: readFileSync(partner.files.token, "utf8"),
      signingKey: await readSigningKey(partner.files.jwsKey),
      tls: {},
    },
    version: "2026-07-01",
    versionHeader: contractBrand.versionHeader,
    clock,
    wait: async (ms) => {
      now += ms;
    },
  });
  const plan = {
    reference: partner.references.current,
    goneReference: partner.references.gone,
    noScopeToken: readFileSync(partner.files.weakToken, "utf8"),
    change: async () => void (await fetch(`${partner.url}/change`, { method: "POST" })),
    burst: 400,
    isStrict: true,
  };
  const findings = await checkPass(rulesOf(contractBrand.versionHeader, clock), { wallet, plan });
  await partner.close();
  return findings;
}

const idsOf = (findings: readonly Finding[], verdict: Finding["verdict"]) =>
  findings.filter((finding) => finding.verdict === verdict).map(({ id }) => id);

test("a demo partner without a fault keeps every rule that can be checked without a certificate", async () => {
  const findings = await check();
  expect(idsOf(findings, "fail")).toEqual([]);
  expect(idsOf(findings, "not checked")).toEqual(["401-strange-certificate", "request-id-503"]);
});

describe("a demo partner breaks exactly the rules that its fault is for", () => {
  test.each([...partnerFaults])("%s", async (name, { breaks }) => {
    expect(idsOf(await check(name), "fail").sort()).toEqual([...breaks].sort());
  });
});

test("the faults that the guide names are there", () => {
  for (const name of ["no-304", "wrong-tag", "other-pass"]) expect(partnerFaults.has(name)).toBe(true);
});
