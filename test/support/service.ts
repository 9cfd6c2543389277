import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { type Brand, contractBrand } from "../../lib/brand.ts";
import { type Table, tablesOf } from "../../lib/dynamo/table.ts";
import { physicalTableName, type TableName } from "../../lib/dynamo/tables.ts";
import type { ContractLimit } from "../../lib/rate-limit/settings.ts";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { localAudiences, localIssuer, localTokenType } from "../../local/identity/local-identity.ts";
import { startService } from "../../local/local-service.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { unsaid } from "./answer-check.ts";
import { type StoreKind, startEngine } from "./engine.ts";
import { fillEngine, isUsualDemo } from "./filled-demo.ts";
import { lineFaults } from "./metric-lines.ts";
import { serviceOptions } from "./service-options.ts";
import { useUpLimit } from "./used-up-limit.ts";

/** The whole local service on a free port and an engine of its own, with what a test needs to fill it and call it. */
export interface TestService {
  readonly baseUrl: string;
  readonly demo: DemoFile;
  readonly client: DynamoDBClient;
  /** The data directory, by which `npm run ops` finds the service. */
  readonly dataDir: string;
  /** The lines that the functions printed. */
  readonly lines: readonly string[];
  tableName(table: TableName): string;
  /** The table as stores and registers take it. */
  table(name: TableName): Table;
  /** Moves the store's clock on until every write is visible to every read. */
  settle(): void;
  /** Sends a request. An answer that the reference does not describe is thrown. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** An access token that names `subject`, signed by the local issuer, with any claim changed. */
  mint(subject: string, scope: string, claims?: JWTPayload): Promise<string>;
  /** Refills an owner's buckets, so that a test may make more requests than one caller may. */
  refill(limit: string, owner: string): Promise<void>;
  /** Empties an owner's buckets for `ms`, so that the next request that is charged to them is refused. */
  useUp(limit: ContractLimit, owner: string, ms?: number): Promise<void>;
  /** Ends the store under the running service, which from then on cannot answer. */
  stopStore(): Promise<void>;
  /** Ends the service. A line of a function whose metrics CloudWatch would not read is thrown. */
  close(): Promise<void>;
}

/**
 * Starts the service as `npm start` does for the second time on a day; browser programs of `corsOrigins` may read its answers.
 *
 * @param through starts what is to stand between the service and its engine, and returns its address.
 */
export async function startTestService(
  kind: StoreKind,
  brand: Brand = contractBrand,
  corsOrigins: readonly string[] = [],
  through: (endpoint: string) => Promise<string> = (endpoint) => Promise.resolve(endpoint),
): Promise<TestService> {
  const engine = await startEngine(kind);
  if (isUsualDemo(brand)) await fillEngine(engine);
  const dataDir = await mkdtemp(join(tmpdir(), "countinghouse-test-"));
  const lines: string[] = [];
  const options = {
    ...serviceOptions(dataDir),
    brand,
    corsOrigins,
    // A store that lags must see every write, so it is not bypassed.
    engineEndpoint: await through(kind === "a store that lags" ? engine.endpoint : engine.rawEndpoint),
  };
  const faults: string[] = [];
  const log = (name: string, line: string): void => {
    lines.push(`${name}: ${line}`);
    faults.push(...lineFaults(line).map((fault) => `${name}: ${fault} in ${line}`));
  };
  const service = await startService(options, { progress: () => {}, log });
  const key = JSON.parse(await readFile(join(dataDir, "issuer-key.json"), "utf8")) as JWK;
  const { baseUrl } = service.demo;
  let stopped: Promise<void> | undefined;
  const stopStore = (): Promise<void> => {
    stopped ??= engine.close();
    return stopped;
  };
  return {
    baseUrl,
    demo: service.demo,
    client: engine.client,
    dataDir,
    lines,
    tableName: (table) => physicalTableName(LOCAL_STAGE, table),
    table: tablesOf(engine.client, LOCAL_STAGE),
    settle: () => engine.settle(),
    get: async (path, headers = {}) => {
      const response = await fetch(`${baseUrl}${path}`, { headers });
      const { status } = response;
      const surprises = unsaid({ target: path, status, body: await response.clone().text() });
      if (surprises.length > 0) throw new Error(`GET ${path}: ${surprises.join("; ")}`);
      return response;
    },
    refill: async (limit, owner) => {
      const Key = { k: { S: `${limit}#${owner}` } };
      const TableName = physicalTableName(LOCAL_STAGE, "RateLimits");
      await engine.client.send(new DeleteItemCommand({ TableName, Key }));
    },
    useUp: (limit, owner, ms) => useUpLimit(engine.client, limit, owner, ms),
    mint: (subject, scope, claims = {}) => mintToken(key, subject, scope, claims),
    stopStore,
    close: async () => {
      await service.close();
      await stopStore();
      await rm(dataDir, { recursive: true });
      if (faults.length > 0) throw new Error(faults.join("\n"));
    },
  };
}

async function mintToken(key: JWK, subject: string, scope: string, claims: JWTPayload): Promise<string> {
  const nowS = Math.floor(Date.now() / 1000);
  const payload = {
    iss: localIssuer,
    aud: localAudiences.business,
    sub: subject,
    scope,
    iat: nowS,
    exp: nowS + 60,
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg ?? "ES256", kid: key.kid ?? "", typ: localTokenType })
    .sign(await importJWK(key));
}

/** A failure's body without the members that differ in each answer. */
export async function comparableBody(response: Response): Promise<unknown> {
  const { error_id: errorId, timestamp, ...body } = (await response.json()) as Record<string, unknown>;
  if (typeof errorId !== "string" || typeof timestamp !== "number")
    throw new Error("A failure's body is incomplete.");
  return body;
}
