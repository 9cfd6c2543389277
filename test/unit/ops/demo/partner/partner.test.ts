import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../../lib/brand.ts";
import { checkPass, passRules } from "../../../../../ops/check-pass/check-pass.ts";
import type { Finding } from "../../../../../ops/checks/rule.ts";
import { partnerFaults } from "../../../../../ops/demo/partner/faults.ts";
import { startPartner } from "../../../../../ops/demo/partner/partner.ts";
import { readSigningKey } from "../../../../../ops/wallet/jws-signer.ts";
import { NOW } from "../../../../support/chain.ts";
import { idsOf, walletFor } from "../../../../support/pass-server.ts";
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
    fault,
  });
  const wallet = walletFor(partner.url, {
    credentials: {
      token: readFileSync(partner.files.token, "utf8"),
      signingKey: await readSigningKey(partner.files.jwsKey),
      tls: {},
    },
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
  const findings = await checkPass(passRules, { wallet, plan });
  await partner.close();
  return findings;
}

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
