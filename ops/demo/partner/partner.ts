import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Context } from "aws-lambda";
import { IssuerKeySet } from "../../../lib/auth/key-set.ts";
import type { Brand } from "../../../lib/brand.ts";
import type { Clock } from "../../../lib/clock.ts";
import { type EndpointHandler, endpoint } from "../../../lib/http/endpoint.ts";
import type { Limiter } from "../../../lib/http/limit.ts";
import { authenticateWallet } from "../../../lib/passes/authenticate-wallet.ts";
import { getPass, passContractVersions } from "../../../lib/passes/contract.ts";
import { entityTag } from "../../../lib/passes/entity-tag.ts";
import { planGetPass } from "../../../lib/passes/get-pass.ts";
import { policyHeader, rateLimitHeaders } from "../../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf, fullAgainMs, waitMs } from "../../../lib/rate-limit/token-bucket.ts";
import { createRequestHandler, type RequestHandler } from "../../../local/gateway/request-handler.ts";
import { listenOn } from "../../../local/http/server.ts";
import { localAudiences } from "../../../local/identity/local-identity.ts";
import { newIssuer, newPassKey, oneOffPassSettings } from "../../one-off-keys/one-off-keys.ts";
import type { PartnerFault, PartnerRequest } from "./faults.ts";

/** Above what a normal check sends, below what `--burst` sends. */
const buckets = bucketsOf([{ name: "demo", burst: 300, refillTokens: 100, refillWindowMs: 1_000 }], 1);

/** A limit that one process keeps, for all callers together. */
export function memoryLimiter(clock: Clock): Limiter {
  let fullAgainAt: Readonly<Record<string, number>> = {};
  return {
    charge: async (_, cost) => {
      const now = clock();
      const wait = waitMs(buckets, fullAgainAt, now, cost);
      if (wait === 0)
        fullAgainAt = Object.fromEntries(
          buckets.map((bucket) => [
            bucket.name,
            now + fullAgainMs(bucket, fullAgainAt, now) + cost * bucket.tokenMs,
          ]),
        );
      return { waitMs: wait, headers: rateLimitHeaders(buckets, fullAgainAt, now, wait) };
    },
    headersOf: () => policyHeader(buckets),
  };
}

export interface PartnerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Where the credentials of the wallet are written. */
  readonly directory: string;
  readonly brand: Brand;
  readonly clock: Clock;
  /** Undefined for a partner without a fault. */
  readonly fault?: PartnerFault | undefined;
}

/** A partner's pass endpoint that runs, and what a wallet needs to call it. */
export interface DemoPartner {
  readonly url: string;
  /** A pass that changes with each POST to `/change`, and one that is gone. */
  readonly references: { readonly current: string; readonly gone: string };
  /** Paths of a valid token, one without the scope, and a private JWK. */
  readonly files: { readonly token: string; readonly weakToken: string; readonly jwsKey: string };
  close(): Promise<void>;
}

const WALLET = "demo-wallet";
const REFERENCES = { current: "demo-1", gone: "demo-2" } as const;
const VERSION = String(passContractVersions.at(-1));
const HANDLER_TIMEOUT_MS = 30_000;

/** Starts the endpoint: the pass callback of this project, over two passes that are kept in memory. */
export async function startPartner(options: PartnerOptions): Promise<DemoPartner> {
  const wallet = await admitWallet(options);
  const store = { version: 1 };
  const handler = partnerHandler(options, wallet, store);
  const handle = createRequestHandler({
    application: {
      routes: [
        {
          routeKey: `${getPass.method} ${getPass.route}`,
          functionName: getPass.name,
          integrationTimeoutMs: HANDLER_TIMEOUT_MS,
        },
      ],
      cors: undefined,
    },
    pools: new Map([[getPass.name, { invoke: invokerOf(handler, options, wallet, store) }]]),
    basePath: "",
    clock: options.clock,
    log: (_, line) => console.error(line),
  });
  const server = createServer((request, response) => void answer(request, response, handle, store));
  const { port, close } = await listenOn(server, options.port);
  return {
    url: `http://127.0.0.1:${port}`,
    references: REFERENCES,
    files: wallet.files,
    close,
  };
}

interface Store {
  version: number;
}

const passText = ({ version }: Store): string =>
  `{"partner_reference":"${REFERENCES.current}","type":"loyalty_pass","version":${version},"semantics":{"points":1284.50}}`;

type Wallet = Awaited<ReturnType<typeof admitWallet>>;

/** Makes the wallet's credentials, writes them into files, and registers them. */
async function admitWallet({ directory, clock }: PartnerOptions) {
  await mkdir(directory, { recursive: true });
  const issuer = await newIssuer(clock);
  const key = newPassKey(WALLET, clock());
  const goodToken = await issuer.mint(WALLET, getPass.scope, localAudiences.passes);
  const keep = async (name: string, text: string): Promise<string> => {
    const file = join(directory, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const weakToken = await issuer.mint(WALLET, "templates.read", localAudiences.passes);
  return {
    issuer,
    goodToken,
    weakToken,
    credential: key.credential,
    files: {
      token: await keep("token.txt", goodToken),
      weakToken: await keep("weak-token.txt", weakToken),
      jwsKey: await keep("jws-key.json", key.privateJwk),
    },
  };
}

function partnerHandler(
  { brand, clock }: PartnerOptions,
  { issuer, credential }: Wallet,
  store: Store,
): EndpointHandler {
  const credentials = {
    get: async (id: string) => (id === credential.id ? credential : undefined),
    getAll: async () => [],
  };
  const settings = oneOffPassSettings(brand.versionHeader);
  const wallet = { credentials, registrations: credentials };
  const url = new URL(settings.TOKEN_JWKS_URL);
  const keys = new IssuerKeySet({ url, clock, fetchText: async () => issuer.jwks });
  return endpoint({
    contract: getPass,
    switches: { get: async () => ({ on: true }) },
    authenticate: authenticateWallet(settings, wallet, keys, clock),
    plan: planGetPass(
      {
        get: async (reference) => {
          if (reference === REFERENCES.gone) return { state: "void", goneAt: clock() };
          if (reference !== REFERENCES.current) return undefined;
          return { state: "current", text: passText(store), version: store.version, templateId: undefined };
        },
      },
      brand.versionHeader,
    ),
    limiter: memoryLimiter(clock),
    clock,
    log: () => {},
  });
}

/** The event of a request, as far as a fault looks at it. */
interface PassEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly pathParameters?: { readonly partner_reference?: string };
}

/** Runs the handler on an event, with the fault before and after it. */
function invokerOf(
  handler: EndpointHandler,
  { fault, brand }: PartnerOptions,
  { goodToken, weakToken }: Wallet,
  store: Store,
) {
  return async (payload: string) => {
    const event = JSON.parse(payload) as PassEvent;
    const reference = event.pathParameters?.partner_reference;
    const request: PartnerRequest = {
      headers: event.headers,
      versionHeader: brand.versionHeader.toLowerCase(),
      version: VERSION,
      goodToken,
      weakToken,
      tag: entityTag(VERSION, passText(store)),
      subject: reference === REFERENCES.current ? "pass" : reference === REFERENCES.gone ? "gone" : "missing",
    };
    const headers = fault?.headers?.(request) ?? event.headers;
    const response = await handler({ ...event, headers }, {} as Context);
    const answer = fault?.answer?.(response, request) ?? response;
    return { kind: "result" as const, payload: JSON.stringify(answer) };
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: RequestHandler,
  store: Store,
): Promise<void> {
  if (request.method === "POST" && request.url === "/change") {
    store.version += 1;
    response.writeHead(204).end();
    return;
  }
  const { statusCode, headers, body } = await handle(request);
  response.writeHead(statusCode, {
    ...headers,
    ...(body !== undefined && { "content-length": body.length }),
  });
  response.end(body);
}
