import { afterEach, describe, expect, test, vi } from "vitest";
import { type Tint, tinted, tintOfStatus } from "../../../../local/terminal/tint.ts";
import { projectText } from "../../../support/project.ts";

const tokens = projectText("page/src/style/tokens.css");

afterEach(() => vi.unstubAllEnvs());

test.each<[Tint, string]>([
  ["good", "\u001b[32mtext\u001b[39m"],
  ["warn", "\u001b[33mtext\u001b[39m"],
  ["bad", "\u001b[31mtext\u001b[39m"],
  ["accent", "\u001b[36mtext\u001b[39m"],
  ["soft", "\u001b[2mtext\u001b[22m"],
  ["strong", "\u001b[1mtext\u001b[22m"],
])("what is %s has one colour of the terminal, and none where there are no colours", (tint, painted) => {
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("FORCE_COLOR", "1");
  expect(tinted(tint, "text")).toBe(painted);
  vi.stubEnv("FORCE_COLOR", undefined);
  vi.stubEnv("NO_COLOR", "1");
  expect(tinted(tint, "text")).toBe("text");
});

test.each(["good", "warn", "bad", "accent"])("the page has a colour for what is %s, too", (tint) => {
  expect(tokens).toContain(`--${tint}: light-dark(`);
});

describe("a status", () => {
  test.each<[number, Tint]>([
    [200, "good"],
    [303, "good"],
    [304, "accent"],
    [305, "good"],
    [399, "good"],
    [400, "warn"],
    [499, "warn"],
    [500, "bad"],
    [503, "bad"],
  ])("%i is %s", (status, tint) => {
    expect(tintOfStatus(status)).toBe(tint);
  });
});
