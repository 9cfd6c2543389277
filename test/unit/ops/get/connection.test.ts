import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CountinghouseError } from "../../../../client/src/index.ts";
import { OperatorError } from "../../../../local/process/operator-error.ts";
import { connect } from "../../../../ops/get/connection.ts";
import { explained, isMissing } from "../../../../ops/get/failures.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const ERROR = {
  error_id: "0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11",
  code: "not_found",
  message: "There is no such order.",
  timestamp: 1_795_554_000_000,
};

let seen: IncomingHttpHeaders[];
let data: string;

const server = createServer((request, response) => {
  seen.push(request.headers);
  response.writeHead(404, { "Content-Type": "application/json" }).end(JSON.stringify(ERROR));
});
const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
afterAll(() => server.close());

beforeEach(() => {
  seen = [];
  data = scratchDirectory();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const file = (name: string, content: string): string => {
  writeFileSync(join(data, name), content);
  return join(data, name);
};

type Name = Parameters<typeof connect>[0];
type Options = Partial<Parameters<typeof connect>[1]>;

/** Connects to the laptop's service. */
const connectHere = (name: Name, options: Options = {}) => connect(name, { data, timeout: 5, ...options });
/** Connects to a service by its address. */
const connectTo = (name: Name, options: Options = {}) => connectHere(name, { url, ...options });

/** Asks for an order, and gives the key that was sent. */
async function sentKey(options: Options) {
  const { client, recorder } = await connectHere("ramp", options);
  await expect(client.ramp.sellOrder("order-1")).rejects.toSatisfy(isMissing);
  expect(JSON.parse(await recorder.body)).toEqual(ERROR);
  expect(recorder.calls).toBe(1);
  return seen.at(-1)?.["x-api-key"];
}

const writeDemo = () =>
  file(
    "demo.json",
    JSON.stringify({ baseUrl: url, ramp: { apiKey: "of-the-demo" }, business: { token: "a.b.c" } }),
  );

describe("credentials", () => {
  test("are those of the demo on the laptop, whatever the environment has, unless a file is given", async () => {
    writeDemo();
    vi.stubEnv("COUNTINGHOUSE_RAMP_API_KEY", "of-another-service");
    expect(await sentKey({})).toBe("of-the-demo");
    expect(await sentKey({ apiKeyFile: file("key.txt", " of-a-file\n") })).toBe("of-a-file");
  });

  test("of the demo go to no other address", async () => {
    writeDemo();
    const message = "This needs an API key: give --api-key-file FILE, or set COUNTINGHOUSE_RAMP_API_KEY.";
    await expect(connectTo("ramp")).rejects.toThrow(message);
    const token = "This needs an access token: give --token-file FILE, or set COUNTINGHOUSE_PASSES_TOKEN.";
    await expect(connectTo("passes")).rejects.toThrow(token);
    await expect(connectTo("exchange", { apiKeyFile: file("key.txt", "key") })).rejects.toThrow(
      "This needs the private key: give --private-key FILE.",
    );
  });

  test("for another address are those of the environment, or of a file in place of them", async () => {
    vi.stubEnv("COUNTINGHOUSE_RAMP_API_KEY", "of-the-environment");
    expect(await sentKey({ url })).toBe("of-the-environment");
    expect(await sentKey({ url, apiKeyFile: file("key.txt", "of-a-file") })).toBe("of-a-file");
  });

  test("that are not one word are refused without being shown", async () => {
    for (const content of ["", "two words", "geheim\nzwei", "schlüssel"]) {
      const apiKeyFile = file("key.txt", content);
      const message = `${apiKeyFile} must hold one token or key and nothing else.`;
      await expect(connectTo("ramp", { apiKeyFile })).rejects.toMatchObject({ message });
    }
  });

  test("that are a public key, or none, are refused before a request", async () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    const privateKey = file("key.pem", String(publicKey.export({ type: "spki", format: "pem" })));
    const apiKeyFile = file("key.txt", "key");
    const refused = connectTo("exchange", { apiKeyFile, privateKey });
    await expect(refused).rejects.toThrow("requests are signed with the private half");
    expect(seen).toEqual([]);
  });

  test("that are the token of a file are the present one at each request, of the same business", async () => {
    const tokenOf = (claims: object) =>
      `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;
    const [first, next] = [tokenOf({ sub: "harbour", exp: 1 }), tokenOf({ sub: "harbour", exp: 2 })];
    const tokenFile = file("token.txt", first);
    const { client } = await connectTo("business", { tokenFile });
    for (const [content, sent] of [
      [first, first],
      ["", first],
      [tokenOf({ sub: "another" }), first],
      [next, next],
    ] as const) {
      file("token.txt", content);
      await expect(client.business.transaction("tx-1")).rejects.toSatisfy(isMissing);
      expect(seen.at(-1)?.authorization).toBe(`Bearer ${sent}`);
    }
  });

  test("name the business that is asked, where the token can be read", async () => {
    const claims = Buffer.from(JSON.stringify({ sub: "harbour" })).toString("base64url");
    for (const [token, subject] of [
      [`e30.${claims}.sig`, "harbour"],
      ["opaque", undefined],
    ] as const) {
      const tokenFile = file("token.txt", token);
      expect(await connectTo("business", { tokenFile })).toMatchObject({ subject });
    }
  });
});

describe("the address of a service", () => {
  test("is missing where `npm start` never ran, and the message says what to do", async () => {
    await expect(connectHere("ramp")).rejects.toThrow(
      /demo\.json names no service\. Run `npm start` once, .* or a service with --url\.$/,
    );
    file("demo.json", "[]");
    await expect(connectHere("ramp")).rejects.toThrow("is not a JSON object");
  });

  test("is not a slash at the end of an address", async () => {
    const apiKeyFile = file("key.txt", "key");
    const connection = await connectHere("ramp", { url: `${url}/api//`, apiKeyFile });
    expect(connection).toMatchObject({ url: `${url}/api` });
  });

  test("is refused if it is not an address", async () => {
    const apiKeyFile = file("key.txt", "key");
    for (const wrong of ["api.example", "ftp://api.example", "https://user:secret@api.example"]) {
      await expect(connectHere("ramp", { url: wrong, apiKeyFile })).rejects.toThrow(/^--url: must /);
    }
  });
});

describe("a failure", () => {
  test.each([
    ["invalid_credentials", "Check the token or the key"],
    ["internal_error", "Report the error_id"],
    ["temporarily_unavailable", "Try again later."],
    ["network_error", "`npm start` starts the service."],
    ["no_route", "Check --url."],
  ] as const)("of the code %s says what to do", (code, advice) => {
    const error = explained(new CountinghouseError("GET https://api.example: it failed.", { code }));
    expect(error).toBeInstanceOf(OperatorError);
    expect((error as Error).message).toMatch(/^GET https:\/\/api\.example: it failed\. /);
    expect((error as Error).message).toContain(advice);
  });

  test("is one line, and runs nothing on a terminal", () => {
    const error = explained(new CountinghouseError("a\nb\u001b[2J", { code: "gone" }));
    expect((error as Error).message).toBe("a\\u{a}b\\u{1b}[2J");
  });

  test("that is a fault of this program is not explained away", () => {
    const fault = new TypeError("Cannot read properties of undefined (reading 'x')");
    expect(explained(fault)).toBe(fault);
    expect(explained(new TypeError("resume: must be the progress.resume of a walk."))).toBeInstanceOf(
      OperatorError,
    );
  });
});
