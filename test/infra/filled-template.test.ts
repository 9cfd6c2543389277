import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseStage } from "../../infra/stage.ts";
import { contractBrand } from "../../lib/brand.ts";
import { filledApplication, fillTemplate, placeholders } from "../../local/template/local-application.ts";
import { type LocalSettings, localStageSettings } from "../../local/template/local-stage.ts";
import { cases } from "../support/cases.ts";
import { synthesize } from "../support/synthesize.ts";

/** The digests in the ids of versions and snapshots, which follow from everything else in the template. */
const DIGESTS = /(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}|(Deployment)[0-9a-fA-F]{24}/g;

const synthesized = (settings: LocalSettings) =>
  synthesize(parseStage(localStageSettings(settings), "the test's stage"));

const comparable = (template: object): unknown =>
  JSON.parse(JSON.stringify(template).replace(DIGESTS, "$1$2"));

const host = fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/);
const origin = fc.oneof(
  host.map((name) => `https://${name}.example`),
  fc.tuple(host, fc.integer({ min: 1024, max: 65_535 })).map(([name, port]) => `http://${name}:${port}`),
);

const anySettings: fc.Arbitrary<LocalSettings> = fc.record({
  brand: fc.record({
    headerPrefix: fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}-$/),
    venue: fc.stringMatching(/^[A-Z0-9]{1,20}$/),
    ownAccount: fc.stringMatching(/^[a-z][a-z0-9_]{0,40}$/),
    versionHeader: fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,30}$/),
    basePath: fc.stringMatching(/^(?:\/[A-Za-z0-9._~-]{1,8}){0,3}$/),
  }),
  corsOrigins: fc.uniqueArray(origin, { maxLength: 3 }),
  stockSdk: fc.constant(false),
});

describe("a filled template", () => {
  const ready = synthesized(placeholders);

  const expectSame = (settings: LocalSettings): void => {
    const real = synthesized(settings);
    for (const part of ["data", "api", "alarms", "operators"] as const)
      expect(comparable(fillTemplate(ready[part], settings))).toEqual(comparable(real[part]));
  };

  test("is what the CDK app synthesizes with the settings of a plain start", () => {
    expectSame({ brand: contractBrand, corsOrigins: [], stockSdk: false });
  });

  test("is what the CDK app synthesizes with whatever brand and origins", () => {
    fc.assert(fc.property(anySettings, expectSame), { numRuns: cases(4) });
  });

  test("takes a setting literally, even one that a pattern or another setting would read as its own", () => {
    const { brand } = placeholders;
    const settings = {
      brand: { ...brand, headerPrefix: `X-$&-${brand.venue}-` },
      corsOrigins: [],
      stockSdk: false,
    };
    expect(
      fillTemplate({ at: [brand.headerPrefix] }, { ...settings, brand: { ...settings.brand, venue: "V" } }),
    ).toEqual({
      at: [settings.brand.headerPrefix],
    });
  });

  test("has no placeholder left, in any place", () => {
    const filled = fillTemplate(
      { api: ready.api, data: ready.data },
      { brand: contractBrand, corsOrigins: ["https://one.example"], stockSdk: false },
    );
    expect(JSON.stringify(filled)).not.toMatch(/placeholder/i);
  });

  test("cannot have the stock SDK, and says where one can", () => {
    expect(() => filledApplication("nowhere", { ...placeholders, stockSdk: true })).toThrow(
      /^--stock-sdk .* clone of the project\.$/,
    );
  });
});
