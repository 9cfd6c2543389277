import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOperator, startOperator, temporaryDirectory } from "../../support/operator.ts";
import { type Breach, REFERENCES, startPassServer, TOKENS } from "../../support/pass-server.ts";

let files: Awaited<ReturnType<typeof temporaryDirectory>>;
let tokenFile: string;

beforeAll(async () => {
  files = await temporaryDirectory();
  tokenFile = join(files.path, "token");
  await writeFile(tokenFile, TOKENS.good);
});
afterAll(() => files[Symbol.asyncDispose]());

const argsFor = (url: string, reference = REFERENCES.current): string[] => [
  url,
  "--reference",
  reference,
  "--token-file",
  tokenFile,
];
const always503: Breach = {
  change: ({ headers }) => ({ status: 503, headers: { ...headers, "retry-after": "30" }, body: "" }),
};

describe("check-pass", () => {
  test("prints each rule as soon as it is judged", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        asked += 1;
        if (asked <= 2) socket.end("HTTP/1.1 200 X\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
      });
    });
    let asked = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { child, ended } = startOperator(["check-pass", ...argsFor(url)]);
    let printed = "";
    // The third request is never answered, so what is printed now was not held back.
    child.stdout.on("data", (chunk) => {
      printed += String(chunk);
      if (/^pass .*200 with a JSON object$/m.test(printed)) child.kill("SIGINT");
    });
    expect((await ended).code).toBe(130);
    server.close();
  });

  test("ends with 2 and one line when there is nothing to check", async () => {
    const server = await startPassServer();
    await server.close();
    const { code, stdout, stderr } = await runOperator(["check-pass", ...argsFor(server.url)]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached, .*ECONNREFUSED.*\n$/);
  });

  test("ends with 2 when a server is only ever busy, and waits no longer than it is told to", async () => {
    const server = await startPassServer(always503);
    const run = await runOperator(["check-pass", ...argsFor(server.url), "--wait-budget", "1"]);
    expect(run).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^\d+ pass, 0 fail, \d+ not checked$/m),
      stderr: "The pass was not answered, so nothing is proven: the server kept answering 503.\n",
    });
    await server.close();
  });
});

describe("a slip on the command line is answered in one line", () => {
  const plain = ["http://127.0.0.1:9", "--reference", "r"];

  test.each([
    [["--version-header", "bad header"], /name of a header/],
    [["--contract-version", "2026\n07"], /visible ASCII/],
    [["--reference", ""], /must name a pass/],
    [["--reference", ".."], /must name a pass/],
    [["--timeout", "0"], /from 1 to 86400/],
  ])("%o", async (more, message) => {
    const { code, stdout, stderr } = await runOperator(["poll", ...plain, "--times", "1", ...more]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(
      stderr
        .trim()
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("(add")),
    ).toHaveLength(1);
  });

  test("an address that has /passes already", async () => {
    const { code, stderr } = await runOperator(["poll", "http://127.0.0.1:9/passes", "--reference", "r"]);
    expect([code, stderr]).toEqual([
      2,
      'Leave /passes out of "http://127.0.0.1:9/passes": it is put behind it.\n',
    ]);
  });

  test.each(["", "x".repeat(3000), ".."])("a reference that no pass can have", async (reference) => {
    const { code, stderr } = await runOperator(["passes", "void", reference, "--data", files.path]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^No pass can have this reference: .*\n$/)]);
  });

  test("--by for a key", async () => {
    const args = ["keys", "create", "passes", "--jwk", "k", "--by", "subject", "--data", files.path];
    expect(await runOperator(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--by is for certificates"),
    });
  });
});

describe("poll", () => {
  test("does not ask again while a Retry-After of many years lasts, and can be stopped then", async () => {
    let asked = 0;
    const change: Breach["change"] = () => {
      asked += 1;
      return { status: 429, headers: { "retry-after": "999999999" }, body: "" };
    };
    const server = await startPassServer({ change });
    const { child, ended } = startOperator(["poll", ...argsFor(server.url)]);
    await once(child.stdout, "readable");
    // A second command's whole life is more than enough for a poller that does not wait.
    await runOperator(["poll", "--help"]);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130 });
    expect(asked).toBe(1);
    await server.close();
  });
});
