import { describe, expect, it, vi } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { readOptions } from "../../../local/options.ts";
import { runScript } from "../../support/run-script.ts";

describe("the options of a start", () => {
  it("are by default a loopback address, port 3000 and the contracts' brand", () => {
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
    const [address, brand, more] = [
      "--port 0 --host ::1 --base-path /api",
      "--header-prefix X-Acme- --venue ACME --own-account acme --version-header Acme-Version",
      "--fresh --data /tmp/x",
    ];
    expect(readOptions(`${address} ${brand} ${more}`.split(" "), {})).toMatchObject({
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

  it("are kept as a command that starts the same again, with its data and without what a URL hides", () => {
    const commandOf = (...flags: string[]) => readOptions(flags, {}).startCommand;
    expect(commandOf()).toBe("npm start");
    expect(commandOf("--fresh", "--no-page", "--data", "it's here", "--cors", "http://a:1", "http://b")).toBe(
      "npm start -- --cors http://a:1 --cors http://b --data 'it'\\''s here' --no-page",
    );
    expect(commandOf("--dynamodb-endpoint", "http://user:secret@127.0.0.1:8000")).not.toContain("secret");
    vi.stubEnv("PORT", "12000");
    expect(commandOf("--partition-limits", "0.5")).toBe("npm start -- --port 12000 --partition-limits 0.5");
    vi.unstubAllEnvs();
  });

  it("are the defaults where a variable is empty", () => {
    const defaults = readOptions([], {});
    for (const name of ["PORT", "TLS_PORT", "DYNAMODB_ENDPOINT", "VENUE_CODE"]) vi.stubEnv(name, "");
    expect(readOptions([], {})).toEqual(defaults);
    vi.unstubAllEnvs();
  });

  it("serve what is to come when they say so", () => {
    expect(readOptions([], {}).isTomorrow).toBe(false);
    expect(readOptions(["--tomorrow"], {}).isTomorrow).toBe(true);
  });

  it("build and serve the page unless it is left out", () => {
    expect(readOptions([], {}).hasPage).toBe(true);
    expect(readOptions(["--no-page"], {}).hasPage).toBe(false);
  });

  it("allow no public name unless it is given, and each one once", () => {
    expect(readOptions([], {}).allowedHosts).toEqual([]);
    const [one, other] = ["sandbox.example.com", "box.acme.dev"];
    for (const flags of [
      ["--allow-host", one, other],
      ["--allow-host", one, "--allow-host", other, one],
    ])
      expect(readOptions(flags, {}).allowedHosts).toEqual([one, other]);
  });

  it("leave the format of the log to standard output unless it is given", () => {
    expect(readOptions([], {})).not.toHaveProperty("log");
    expect(readOptions(["--log", "json"], {}).log).toBe("json");
    expect(readOptions(["--log", "lines"], {}).log).toBe("lines");
  });

  it("switch on the store's lag, limits, expiry and lost answers only when given", () => {
    expect(readOptions([], {}).behaviour).toEqual({
      indexLagMs: 0,
      eventualLagMs: 0,
      partitionShare: undefined,
      expiry: "late",
      lostShare: 0,
    });
    const flags = "--index-lag 1000 --eventual-lag 500 --expiry early --lose-answers 0.05 --partition-limits";
    expect(readOptions(flags.split(" "), {}).behaviour).toEqual({
      indexLagMs: 1_000,
      eventualLagMs: 500,
      partitionShare: 1,
      expiry: "early",
      lostShare: 0.05,
    });
    expect(readOptions(["--partition-limits", ".01"], {}).behaviour.partitionShare).toBe(0.01);
  });

  it("take each origin for browser programs once, however the option is repeated", () => {
    expect(readOptions([], {}).corsOrigins).toEqual([]);
    const [local, app] = ["http://localhost:5173", "https://app.example.com"];
    for (const flags of [
      ["--cors", local, app],
      ["--cors", local, "--cors", app],
      [`--cors=${local}`, "--cors", app, local],
    ])
      expect(readOptions(flags, {}).corsOrigins).toEqual([local, app]);
  });

  it("build the functions with stand-ins, unless they ask for the SDK as it is published", () => {
    expect(readOptions([], {}).stockSdk).toBe(false);
    expect(readOptions(["--stock-sdk"], {}).stockSdk).toBe(true);
  });

  it("have a port for clients with certificates only when it is given, and may have 0 for both ports", () => {
    expect(readOptions(["--port", "4400"], {})).not.toHaveProperty("tlsPort");
    expect(readOptions(["--port", "4400", "--tls-port", "4401"], {})).toMatchObject({ tlsPort: 4401 });
    expect(readOptions(["--port", "0", "--tls-port", "0"], {})).toMatchObject({ port: 0, tlsPort: 0 });
  });

  it("have a port of the queues, and a time until a failed message comes again, only when they are given", () => {
    expect(readOptions([], {})).not.toHaveProperty("queuePort");
    expect(readOptions([], {})).not.toHaveProperty("queueRetryS");
    const given = ["--port", "0", "--tls-port", "0", "--queue-port", "0", "--queue-retry", "0"];
    expect(readOptions(given, {})).toMatchObject({ queuePort: 0, queueRetryS: 0 });
    expect(readOptions(["--queue-retry", "43200"], {})).toMatchObject({ queueRetryS: 43_200 });
  });

  it("resolve the data directory against the directory in which npm was called", () => {
    const environment = { INIT_CWD: "/home/me", npm_lifecycle_event: "start" };
    expect(readOptions(["--data", "here"], environment).dataDir).toBe("/home/me/here");
  });
});

/** Reads options that end the process, and returns its exit code and what it printed. */
function endOf(argv: readonly string[], environment: Readonly<Record<string, string>>) {
  const printed = { stdout: "", stderr: "" };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  for (const name of ["stdout", "stderr"] as const)
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  try {
    expect(() => readOptions(argv)).toThrow(/^exit /);
    return { code: exit.mock.calls[0]?.[0], ...printed };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

describe("an unusable value is refused by its option's name, with exit code 2 and no stack:", () => {
  it.each([
    [["--port", "70000"], {}, /--port.*0 to 65535/],
    [["--port", "3e3"], {}, /--port/],
    [["--port", "4400", "--tls-port", "4400"], {}, /--port and --tls-port are both 4400/],
    [["--tls-port", "3000"], {}, /--port and --tls-port are both 3000/],
    [[], { PORT: "4400", TLS_PORT: "04400" }, /--port and --tls-port are both 4400/],
    [["--queue-port", "3000"], {}, /--port and --queue-port are both 3000; the queues need/],
    [["--tls-port", "4401", "--queue-port", "4401"], {}, /--tls-port and --queue-port are both 4401/],
    [[], { QUEUE_PORT: "70000" }, /QUEUE_PORT.*0 to 65535/],
    [["--queue-retry", "43201"], {}, /--queue-retry.*0 to 43200/],
    [["--queue-retry", "-1"], {}, /--queue-retry/],
    [["--allow-host", "http://a.example"], {}, /--allow-host.*without a port/],
    [["--allow-host", "a.example:3000"], {}, /--allow-host.*without a port/],
    [["--allow-host", ".example.com"], {}, /--allow-host.*without a port/],
    [["--allow-host", ""], {}, /--allow-host.*without a port/],
    [["--cors", "localhost:5173"], {}, /--cors.*an origin/],
    [["--cors", "http://localhost:5173/"], {}, /--cors.*an origin/],
    [["--cors", "https://App.example.com"], {}, /--cors.*an origin/],
    [["--cors", "https://app.example.com:443"], {}, /--cors.*an origin/],
    [["--cors", "http://localhost:99999"], {}, /--cors.*an origin/],
    [["--cors", "*"], {}, /--cors.*an origin/],
    [["--cors", "https://*"], {}, /--cors.*an origin/],
    [["--cors", "null"], {}, /--cors.*an origin/],
    [["--cors", "ftp://app.example.com"], {}, /--cors.*an origin/],
    [["--cors"], {}, /--cors.*argument missing/],
    [[], { PORT: "x" }, /PORT/],
    [["--base-path", "api"], {}, /--base-path.*slash/],
    [["--header-prefix", "X-Acme"], {}, /--header-prefix.*hyphen/],
    [["--venue", "acme"], {}, /--venue.*upper-case/],
    [[], { DYNAMODB_ENDPOINT: "localhost" }, /DYNAMODB_ENDPOINT.*URL/],
    [["--data", ""], {}, /--data.*is empty: is a variable not set/],
    [["--data", " "], {}, /--data.*is empty/],
    [["--prot", "1"], {}, /unknown option.*--prot/],
    [["extra"], {}, /too many arguments/],
    [["--index-lag", "60001"], {}, /--index-lag.*from 0 to 60000/],
    [["--eventual-lag", "-1"], {}, /--eventual-lag.*milliseconds/],
    [["--partition-limits", "0"], {}, /--partition-limits.*above 0/],
    [["--expiry", "soon"], {}, /--expiry.*early, late/],
    [["--lose-answers", "1.01"], {}, /--lose-answers.*at most 1/],
    [["--lose-answers", ""], {}, /--lose-answers.*share/],
    [["--log", "xml"], {}, /--log.*json, lines/],
  ])("%j %j", (argv, environment, message) => {
    const { code, stderr } = endOf(argv, environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("by the program as by its parts", async () => {
    const { code, stderr } = await runScript("local/start.ts", ["--port", "70000"], { PORT: "1" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/--port.*0 to 65535/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("--help lists every option under a heading that says what it is about, and ends with 0", () => {
    const { code, stdout } = endOf(["--help"], {});
    expect(code).toBe(0);
    expect([...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)).toEqual([
      "Where it listens",
      "What it serves",
      "Words and names of the deployment",
      "Faults and limits",
      "What it says",
    ]);
    for (const flag of ["--port", "--host", "--base-path", "--data", "--fresh", "--header-prefix", "--venue"])
      expect(stdout).toContain(flag);
  });
});
