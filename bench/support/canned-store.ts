import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setDefaultCACertificates } from "node:tls";
import { createLoopbackCertificate } from "./loopback-certificate.ts";

/** The path of the issuer's key set that is kept among the settings. */
export const KEPT_PATH = "/jwks.json";

/** A store over TLS that gives fixed answers; see `canned-server.ts`. */
export interface CannedStore extends AsyncDisposable {
  readonly url: string;
  /** Where the issuer publishes its keys, which the store keeps as if they had been fetched when it started. */
  readonly jwksUrl: string;
  /** Environment of a process that is to reach this store as a function reaches DynamoDB. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface CannedAnswers {
  readonly answers: Readonly<Record<string, string>>;
  readonly keySet?: string;
}

/** Starts a canned store, whose certificate this process trusts too. */
export async function startCannedStore({ answers, keySet = "{}" }: CannedAnswers): Promise<CannedStore> {
  const { certificate, key } = await createLoopbackCertificate();
  const directory = await mkdtempDisposable(path.join(tmpdir(), "countinghouse-bench-"));
  const certificatePath = path.join(directory.path, "certificate.pem");
  await writeFile(certificatePath, certificate);
  setDefaultCACertificates([certificate]);
  const program = path.join(import.meta.dirname, "canned-server.ts");
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ certificate, key, answers, keySet }));
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url,
    jwksUrl: `${url}${KEPT_PATH}`,
    environment: {
      NODE_EXTRA_CA_CERTS: certificatePath,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "key-id",
      AWS_SECRET_ACCESS_KEY: "not-a-secret",
      AWS_ENDPOINT_URL_DYNAMODB: url,
    },
    [Symbol.asyncDispose]: async () => {
      await end(child);
      await directory.remove();
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
