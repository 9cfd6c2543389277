import { expect, test } from "vitest";
import { readOptions } from "../../../../local/options.ts";
import { OLDEST_NODE } from "../../../../publish/package/manifest.ts";
import { projectText } from "../../../support/project.ts";

/** The instructions of a Dockerfile in their order: name and arguments, lines that go on joined, without comments. */
const instructions = projectText("publish/package/Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line): [name: string, rest: string] => {
    const [, name = "", rest = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return [name, rest];
  });

const restOf = (name: string): readonly string[] =>
  instructions.filter(([other]) => other === name).map(([, rest]) => rest);

test("has only instructions that Docker knows, from one base", () => {
  const known = "FROM ADD RUN USER WORKDIR VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD".split(" ");
  expect(instructions.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
  expect(restOf("FROM")).toHaveLength(1);
});

test("begins with the bytes of one exact version of a Node.js that the package runs on", () => {
  const [, major, minor] =
    /^node:(\d+)\.(\d+)\.\d+-slim@sha256:[0-9a-f]{64}$/.exec(restOf("FROM")[0] ?? "") ?? [];
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split(".");
  const orderOf = (line?: string, release?: string): number => Number(line) * 1_000 + Number(release);
  expect(orderOf(major, minor)).toBeGreaterThanOrEqual(orderOf(oldestMajor, oldestMinor));
});

test("contains the tarball that `npm run package` writes, and nothing else of the folder", () => {
  expect(restOf("ADD")).toEqual(["countinghouse-*.tgz /opt/node_modules/"]);
  expect(projectText("publish/package/.dockerignore")).toBe("*\n!countinghouse-*.tgz\n");
});

test("runs as a user without privileges, who owns the directory of the data", () => {
  const names = instructions.map(([name]) => name);
  expect(restOf("USER")).toEqual(["node"]);
  expect(names.indexOf("USER")).toBeLessThan(names.indexOf("ENTRYPOINT"));
  expect(restOf("RUN").join()).toContain("--owner=node --group=node /data");
  expect([...restOf("WORKDIR"), ...restOf("VOLUME")]).toEqual(["/data", "/data"]);
});

test("starts the program without a shell between, so that signals and arguments reach it", () => {
  for (const exec of [...restOf("ENTRYPOINT"), ...restOf("CMD")])
    expect(JSON.parse(exec)).toBeInstanceOf(Array);
  expect(restOf("STOPSIGNAL")).toEqual(["SIGTERM"]);
  expect(restOf("HEALTHCHECK")[0]).toMatch(/ CMD \["node", /);
});

test("serves other machines at the ports that it names, which are the program's own", () => {
  const { host, port } = readOptions(JSON.parse(restOf("CMD")[0] ?? ""), {});
  expect(host).toBe("0.0.0.0");
  // By default, clients with certificates come 443 above the others.
  expect(restOf("EXPOSE")).toEqual([`${port} ${port + 443}`]);
  expect(restOf("HEALTHCHECK")[0]).toContain(`http://127.0.0.1:${port}/`);
});
