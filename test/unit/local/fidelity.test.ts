import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { answerRules } from "../../../local/gateway/answer-rules.ts";
import { rules } from "../../../local/store/rules/check-rules.ts";
import { byHand } from "../../../ops/compare/by-hand.ts";
import { additions, fidelityText, knownBehaviours, storeBehaviours } from "../../support/fidelity.ts";
import { codeIn } from "../../support/markdown.ts";
import { projectPath, projectRoot } from "../../support/project.ts";

const isCommand = (shown: string): boolean => shown.includes(" ");
const commands = knownBehaviours.flatMap(({ shownBy }) => shownBy.filter(isCommand));

describe("the page about fidelity", () => {
  test("tells every behaviour once", () => {
    const told = [...knownBehaviours, ...storeBehaviours].map(({ behaviour }) => behaviour);
    expect(told.length).toBeGreaterThan(100);
    expect(told.filter((one, at) => one === "" || told.indexOf(one) !== at)).toEqual([]);
  });

  test("has a source for everything, as the rules have in the code", () => {
    for (const one of [...rules, ...answerRules, ...knownBehaviours, ...storeBehaviours])
      expect(one.source, JSON.stringify(one)).not.toBe("");
  });

  test("names an existing test for each addition of the local service", () => {
    expect(additions.length).toBeGreaterThan(3);
    for (const { addition, test: heldBy } of additions)
      expect(existsSync(path.join(projectRoot, codeIn(heldBy)[0] ?? "?")), addition).toBe(true);
  });
});

describe("a known behaviour of AWS", () => {
  test.each(knownBehaviours)(
    "is held by an existing test, or is not here: $behaviour",
    ({ isHere, heldBy }) => {
      expect(heldBy !== undefined).toBe(isHere);
      if (heldBy !== undefined) expect(existsSync(projectPath(heldBy))).toBe(true);
    },
  );

  test("is shown by a request or a command if it is only assumed or reported", () => {
    const unshown = knownBehaviours.filter(
      ({ source, shownBy }) => /^Assumed|^Report/.test(source) && shownBy.length === 0,
    );
    expect(unshown.map(({ behaviour }) => behaviour)).toEqual([]);
  });

  test("has only commands whose variables the page sets, or the command itself", () => {
    const settings = /## What only a deployment can show\n.*?```sh\n(.*?)```/s.exec(fidelityText)?.[1] ?? "";
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
