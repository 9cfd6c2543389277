import { parseStage, type Stage } from "../../infra/stage.ts";

/*
 * A stage without the CDK, which takes more than a second to load.
 */

/** What a disposable stage has in place of an account and a region. */
export const disposable = { disposable: true, account: undefined, region: undefined };

/** The smallest file of a stage that is worth keeping, with more settings laid over it. */
export const testStage = (settings: Readonly<Record<string, unknown>> = {}): Stage =>
  parseStage(
    {
      name: "test",
      account: "123456789012",
      region: "eu-central-1",
      business: {
        token: {
          issuer: "https://identity.test",
          audience: "https://api.test/business",
          jwksUrl: "https://identity.test/jwks.json",
        },
        idType: { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" },
      },
      passes: {
        token: {
          issuer: "https://identity.test",
          audience: "https://api.test/passes",
          jwksUrl: "https://identity.test/jwks.json",
        },
      },
      ...settings,
    },
    "the test's stage",
  );
