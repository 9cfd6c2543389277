import { afterAll, describe, expect, test } from "vitest";
import { failing, runOperator, temporaryDirectory } from "../../support/operator.ts";
import { projectText } from "../../support/project.ts";
import { startTestService } from "../../support/service.ts";

const service = await startTestService("dynalite");
afterAll(() => service.close());

const print = (...args: readonly string[]) => runOperator(["token", ...args, "--data", service.dataDir]);

/** Asks with a token for a listing of transactions, or for a pass. */
const ask = (token: string, isWallet = false) =>
  service.get(isWallet ? `/passes/${service.demo.passes.partnerReference}` : "/transactions", {
    authorization: `Bearer ${token}`,
    ...(isWallet && { [service.demo.passes.versionHeader]: service.demo.passes.version }),
  });

/** The reason in the last line that a function logged. */
const loggedReason = (): unknown => {
  const line = service.lines.findLast((one) => one.includes('"status"')) ?? "";
  return JSON.parse(line.slice(line.indexOf("{"))).reason;
};

/** Options that make a token refused, with the reason in the function's log. */
const refused: readonly (readonly [options: readonly string[], reason: string])[] = [
  [["--damage", "spelling"], "no bearer token"],
  [["--damage", "encoding"], "a part that is not canonical base64url"],
  [["--damage", "header"], "token refused"],
  [["--damage", "extension"], "an extension in the header"],
  [["--damage", "claims"], "ERR_JWT_INVALID"],
  [["--alg", "none"], "an algorithm that is not accepted"],
  [["--alg", "HS256"], "an algorithm that is not accepted"],
  [["--alg", "RS256"], "no key of the issuer verifies the token"],
  [["--alg", "PS256"], "no key of the issuer verifies the token"],
  [["--alg", "EdDSA"], "no key of the issuer verifies the token"],
  [["--wrong-key"], "no key of the issuer verifies the token"],
  [["--expired"], "ERR_JWT_EXPIRED"],
  [["--not-yet-valid"], "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  [["--wrong-audience"], "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  [["--audience", "another"], "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  [["--wrong-issuer"], "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  [["--issuer", "https://another.example"], "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  [["--type", "JWT"], "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  [["--issued-ahead"], "iat lies ahead"],
  [["--expires", "400d"], "exp lies too far ahead"],
];

describe("token", () => {
  test.each(["acme", "Zürich & Söhne"])(
    "prints a token alone, with which the records of %s can be read",
    async (business) => {
      const run = await print("--business", business);
      expect(run).toMatchObject({
        code: 0,
        stderr: "The service accepts this token, unless its subject is blocked.\n",
      });
      expect(run.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      const answer = await ask(run.stdout.trim());
      expect([answer.status, await answer.json()]).toEqual([200, []]);
    },
  );

  test("is one JSON text with --json, with the answer that it gets", async () => {
    const { stdout, stderr } = await print("--business", "acme", "--wrong-key", "--json");
    expect(stderr).toBe("");
    const { token, answer } = JSON.parse(stdout);
    expect(answer).toEqual({
      status: 401,
      code: "invalid_credentials",
      reason: "no key of the issuer verifies the token",
    });
    expect((await ask(token)).status).toBe(401);
    const good = JSON.parse((await print("--wallet", "--json")).stdout);
    expect(good.answer).toEqual({ status: 200, code: null, reason: null });
  });

  test.each([["--wallet"], ["--wallet", "another-wallet"]])(
    "opens the pass callback: %j",
    async (...options) => {
      const { stdout } = await print(...options);
      expect((await ask(stdout.trim(), true)).status).toBe(200);
    },
  );

  test.each(["--business=acme", "--wallet"])(
    "is refused for each reason, and says which, with %s",
    async (holder) => {
      for (const [options, reason] of refused) {
        const { code, stdout, stderr } = await print(holder, ...options);
        expect([code, stderr], options.join(" ")).toEqual([0, expect.stringContaining(` ${reason}.`)]);
        const answer = await ask(stdout.trim(), holder === "--wallet");
        expect([answer.status, loggedReason()], options.join(" ")).toEqual([401, reason]);
      }
    },
  );

  test("is refused where it is for a subject that no token may have", async () => {
    const { stdout, stderr } = await print("--business", "a".repeat(257));
    expect(stderr).toContain("unusable sub");
    expect([(await ask(stdout.trim())).status, loggedReason()]).toEqual([401, "unusable sub"]);
    expect((await ask((await print("--business", "a".repeat(256))).stdout.trim())).status).toBe(200);
  });

  test("that is bound to a certificate is refused without it", async () => {
    const { stdout, stderr } = await print("--wallet", "--bound-to", service.demo.passes.mtls.cert);
    expect(stderr).toContain("token bound to a certificate");
    expect([(await ask(stdout.trim(), true)).status, loggedReason()]).toEqual([
      401,
      "token bound to a certificate",
    ]);
  });

  test("of a blocked subject is refused", async () => {
    const block = await runOperator(["subjects", "block", "blocked", "--data", service.dataDir]);
    expect(block).toMatchObject({ code: 0 });
    const { stdout } = await print("--business", "blocked");
    expect([(await ask(stdout.trim())).status, loggedReason()]).toEqual([401, "revoked subject"]);
  });

  test.each([[["--no-scope"]], [["--scope", "accounts.read passes.read"]]])(
    "without the scope gets a 403: %j",
    async (options) => {
      const { stdout, stderr } = await print("--business", "acme", ...options);
      expect(stderr).toBe("The service answers 403 insufficient_scope.\n");
      expect((await ask(stdout.trim())).status).toBe(403);
    },
  );

  test.each([
    ["--expires", "90s"],
    ["--expires", "2h"],
    ["--expires", "300d"],
    ["--scope", "transactions.read accounts.read"],
  ])("is accepted with %s %s", async (...options) => {
    const { stdout } = await print("--business", "acme", ...options);
    expect((await ask(stdout.trim())).status).toBe(200);
  });

  test("can be had for every reason for which lib/auth/access-token.ts refuses one", () => {
    const source = projectText("lib/auth/access-token.ts");
    const reasons = Array.from(
      source.matchAll(/invalidCredentials\((?:codeOf\(error\) \?\? )?"([^"]+)"/g),
      ([, one]) => one,
    );
    const shown = [...refused.map(([, reason]) => reason), "unusable sub", "revoked subject"];
    expect(reasons.length).toBeGreaterThan(8);
    expect(reasons.filter((one) => !shown.includes(one as string))).toEqual([]);
  });
});

describe("no token is printed", () => {
  test.each([
    [[], /--business ID or --wallet, and not both/],
    [["--business", "acme", "--wallet"], /--business ID or --wallet, and not both/],
    [["--business", ""], /1 to 1535 bytes/],
    [["--business", "acme", "--expires", "soon"], /Give a span such as 90d/],
    [["--business", "acme", "--expires", "1h", "--expired"], /cannot be used with option/],
    [["--business", "acme", "--bound-to", "/nonexistent.pem"], /cannot be read: there is no such file/],
    [["--business", "acme", "--stage", "prod"], /Tokens of a stage come from its identity provider/],
  ])("for %j", async (options, line) => {
    expect(await print(...options)).toMatchObject(failing(line));
  });

  test("without an issuer's key", async () => {
    await using directory = await temporaryDirectory();
    const run = await runOperator(["token", "--business", "acme", "--data", directory.path]);
    expect(run).toMatchObject(failing("There is no token issuer in"));
  });
});
