import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gatewayBehaviours } from "../../../infra/local/fidelity/gateway-behaviours.ts";

const root = path.resolve(import.meta.dirname, "../../..");

describe("what is known of the gateway", () => {
  test("is told once each", () => {
    const told = gatewayBehaviours.map(({ behaviour }) => behaviour);
    expect(new Set(told).size).toBe(told.length);
  });

  test.each(gatewayBehaviours)(
    "is held by a test that exists, or stands as not here: $behaviour",
    (known) => {
      const { standing, heldBy, source } = known;
      expect(heldBy === undefined).toBe(standing === "not here");
      if (heldBy !== undefined) expect(existsSync(path.join(root, heldBy))).toBe(true);
      expect(source).not.toBe("");
    },
  );

  test("is shown by a command wherever it is only assumed or reported", () => {
    const unshown = gatewayBehaviours.filter(
      ({ source, shownBy }) => /^Assumed|^Reports/.test(source) && shownBy === undefined,
    );
    expect(unshown.map(({ behaviour }) => behaviour)).toEqual([]);
  });

  test("has commands that a shell can read", () => {
    const commands = gatewayBehaviours.flatMap(({ shownBy }) => (shownBy === undefined ? [] : [shownBy]));
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      const { status, stderr } = spawnSync("sh", ["-n", "-c", command], { encoding: "utf8" });
      expect([command, status, stderr]).toEqual([command, 0, ""]);
    }
  });
});
