import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startCommand } from "../../bench/support/start-command.ts";
import { endpoints } from "../../infra/endpoints.ts";
import { curlLinesFor, pastedStatus } from "../support/printed-curl.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { FUNCTION_COUNT } from "../support/synthesize.ts";

const directory = scratchDirectory();

const service = await startCommand(["--port", "0", "--data", directory, "--stock-sdk"]);
afterAll(() => service.stop());

/** The sources of each function of the cloud assembly that a start has made in its data directory. */
const sourcesOfFunctions = (): string[][] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "index.mjs.map")
    .map((file) => {
      const map: { sources: string[] } = JSON.parse(readFileSync(path.join(directory, file), "utf8"));
      return map.sources;
    });

describe("a start with --stock-sdk", () => {
  it("runs functions that carry the SDK as it is published, and no stand-in", () => {
    const functions = sourcesOfFunctions();
    expect(functions).toHaveLength(FUNCTION_COUNT + 1);
    for (const sources of functions) {
      expect(sources.filter((source) => source.includes("infra/bundling/"))).toEqual([]);
      expect(sources.some((source) => source.includes("/@aws-sdk/credential-provider-node/"))).toBe(true);
    }
  });

  it("answers a request to each endpoint", async () => {
    const lines = curlLinesFor(directory);
    expect(lines.length).toBeGreaterThanOrEqual(endpoints.length);
    for (const line of lines) expect([line, await pastedStatus(line)]).toEqual([line, "200"]);
  });
});
