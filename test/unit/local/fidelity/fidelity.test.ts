import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { accessBehaviours } from "../../../../local/fidelity/access-behaviours.ts";
import { fidelityPage } from "../../../../local/fidelity/fidelity-page.ts";
import { gatewayBehaviours } from "../../../../local/fidelity/gateway-behaviours.ts";
import { localAdditions } from "../../../../local/fidelity/local-additions.ts";
import { queueBehaviours } from "../../../../local/fidelity/queue-behaviours.ts";
import { answerRules } from "../../../../local/gateway/answer-rules.ts";
import { storeBehaviours } from "../../../../local/store/behaviour/behaviours.ts";
import { rules } from "../../../../local/store/rules/check-rules.ts";
import { byHand } from "../../../../ops/compare/by-hand.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
const known = [...storeBehaviours, ...accessBehaviours, ...gatewayBehaviours, ...queueBehaviours];
const commands = known.flatMap(({ shownBy }) => (shownBy === undefined ? [] : [shownBy]));

describe("the page about fidelity", () => {
  test("is the page that `npm run fidelity` writes from the data", () => {
    expect(readFileSync(path.join(root, "docs/fidelity.md"), "utf8")).toBe(fidelityPage());
  });

  test("has one line for every rule and every behaviour", () => {
    const lines = fidelityPage().split("\n");
    for (const { name } of [...rules, ...answerRules])
      expect(lines.filter((line) => line.startsWith(`| ${name} |`))).toHaveLength(1);
    const told = known.map(({ behaviour }) => behaviour);
    expect(new Set(told).size).toBe(told.length);
  });

  test("has a source for everything", () => {
    for (const { source } of [...rules, ...answerRules, ...known]) expect(source).not.toBe("");
  });
});

test.each(localAdditions)(
  "an addition of the local service is held by an existing test: $addition",
  (one) => {
    expect(existsSync(path.join(root, one.heldBy))).toBe(true);
  },
);

describe("a known behaviour of AWS", () => {
  test.each(known)("is held by an existing test, or is not here: $behaviour", ({ standing, heldBy }) => {
    if (heldBy === undefined) expect(standing).toBe("not here");
    else expect(existsSync(path.join(root, heldBy))).toBe(true);
  });

  test("has a command that shows it if it is only assumed or reported", () => {
    const unshown = known.filter(
      ({ source, shownBy }) => /^Assumed|^Reports/.test(source) && shownBy === undefined,
    );
    expect(unshown.map(({ behaviour }) => behaviour)).toEqual([]);
  });

  test("has only commands whose variables the page sets, or the command itself", () => {
    const settings =
      /## What only a deployment can show\n.*?```sh\n(.*?)```/s.exec(fidelityPage())?.[1] ?? "";
    for (const command of [...commands, ...byHand.map((one) => one.command)]) {
      const used = [...command.matchAll(/\$(\w+)/g)].map(([, name]) => name);
      const set = [...`${settings}\n${command}`.matchAll(/\b(\w+)=/g)].map(([, name]) => name);
      expect([command, used.filter((name) => !set.includes(name))]).toEqual([command, []]);
    }
  });

  test("has only commands that a shell can parse", () => {
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      const { status, stderr } = spawnSync("sh", ["-n", "-c", command], { encoding: "utf8" });
      expect([command, status, stderr]).toEqual([command, 0, ""]);
    }
  });
});
