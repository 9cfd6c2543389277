import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { projectRoot, projectText } from "../../support/project.ts";

const GUARD = "./local/require-node.mjs";

/** Runs the guard in a Node that claims to have another version. */
function guardOf(version: string) {
  const versions = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const script = `data:text/javascript,${encodeURIComponent(versions)}`;
  return spawnSync(
    process.execPath,
    ["--import", script, "--import", GUARD, "--eval", "console.log('ran')"],
    {
      cwd: projectRoot,
      encoding: "utf8",
    },
  );
}

test.each(["18.20.0", "20.20.2", "22.18.0", "24.14.9"])(
  "Node %s is refused with one line that says what to do",
  (version) => {
    const { status, stdout, stderr } = guardOf(version);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(`this is ${version}.`)]);
    expect(stderr).toContain("--omit=optional");
  },
);

test.each(["24.15.0", "24.21.0", "26.0.0"])("Node %s is accepted", (version) => {
  expect(guardOf(version)).toMatchObject({ status: 0, stdout: "ran\n", stderr: "" });
});

test("every entry point runs the guard first", () => {
  const { start, ops } = JSON.parse(projectText("package.json")).scripts;
  for (const command of [start, ops, JSON.parse(projectText("cdk.json")).app])
    expect(command).toContain(`node --import ${GUARD} `);
  expect(projectText("vitest.config.ts")).toMatch(
    new RegExp(`^(?://.*\\n)*import "${GUARD.replaceAll(".", "\\.")}";`),
  );
});
