import { describe, expect, it } from "vitest";
import { readOptions } from "../../../infra/local/options.ts";
import { contractBrand } from "../../../lib/brand.ts";
import { runOptions } from "../../support/run-options.ts";

describe("the options of a start", () => {
  it("are a loopback address, port 3000 and the contracts' brand unless said", () => {
    const options = readOptions([], {});
    expect(options).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      isFresh: false,
      engineEndpoint: undefined,
      brand: contractBrand,
    });
    expect(options.dataDir).toBe(`${process.cwd()}/.countinghouse`);
  });

  it("may be given as flags", () => {
    const flags = [
      "--port",
      "0",
      "--host",
      "::1",
      "--base-path",
      "/api",
      "--header-prefix",
      "X-Acme-",
      "--venue",
      "ACME",
    ];
    const more = ["--own-account", "acme", "--version-header", "Acme-Version", "--fresh", "--data", "/tmp/x"];
    expect(readOptions([...flags, ...more], {})).toMatchObject({
      port: 0,
      host: "::1",
      isFresh: true,
      dataDir: "/tmp/x",
      brand: {
        basePath: "/api",
        headerPrefix: "X-Acme-",
        venue: "ACME",
        ownAccount: "acme",
        versionHeader: "Acme-Version",
      },
    });
  });

  it("name a data directory from where npm was called", () => {
    const environment = { INIT_CWD: "/home/me", npm_lifecycle_event: "start" };
    expect(readOptions(["--data", "here"], environment).dataDir).toBe("/home/me/here");
  });
});

describe("a value that cannot be used is named, with exit code 1 and no stack:", () => {
  it.each([
    [["--port", "70000"], {}, /--port.*0 to 65535/],
    [["--port", "3e3"], {}, /--port/],
    [[], { PORT: "x" }, /PORT/],
    [["--base-path", "api"], {}, /--base-path.*slash/],
    [["--header-prefix", "X-Acme"], {}, /--header-prefix.*hyphen/],
    [["--venue", "acme"], {}, /--venue.*upper-case/],
    [[], { DYNAMODB_ENDPOINT: "localhost" }, /DYNAMODB_ENDPOINT.*URL/],
    [["--prot", "1"], {}, /unknown option.*--prot/],
    [["extra"], {}, /too many arguments/],
  ])("%j %j", async (argv, environment, message) => {
    const { code, stderr } = await runOptions(argv, environment);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("--help lists every option and ends with 0", async () => {
    const { code, stdout } = await runOptions(["--help"], {});
    expect(code).toBe(0);
    for (const flag of ["--port", "--host", "--base-path", "--data", "--fresh", "--header-prefix", "--venue"])
      expect(stdout).toContain(flag);
  });
});
