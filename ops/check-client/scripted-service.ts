import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Context } from "aws-lambda";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { Failure } from "../../lib/errors.ts";
import { readRequest } from "../../lib/http/request.ts";
import type { HttpResponse } from "../../lib/http/respond.ts";
import { joinHeaders } from "../../local/gateway/event.ts";
import { createRequestHandler } from "../../local/gateway/request-handler.ts";
import type { GatewayResponse } from "../../local/gateway/response.ts";
import { listenOn } from "../../local/http/server.ts";
import type { ServedApi } from "../../local/template/template.ts";
import type { TomorrowScene } from "../../local/tomorrow/scenes.ts";
import { clientVariables, type Issued, issueCredentials } from "./credentials.ts";
import { scriptedEndpoints } from "./endpoints.ts";
import { Play } from "./play.ts";
import { type InterfaceName, scenesOf, tomorrowOf } from "./scene.ts";
import type { ScriptedEndpoint } from "./scripted-endpoint.ts";
import type { Given, SentRequest, Visit } from "./visit.ts";

export interface ServiceOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Where the credentials are written. */
  readonly directory: string;
  readonly interfaces: readonly InterfaceName[];
  readonly brand: Brand;
  readonly clock: Clock;
  /** Called when a request was answered. */
  readonly onVisit?: (visit: Visit) => void;
}

interface PlayedEndpoint {
  readonly endpoint: ScriptedEndpoint;
  readonly play: Play;
}

/** A host of somebody else: its name is not the one that the client was told. */
const OTHER_HOST = "localhost";
/** Longer than any handler takes. */
const INTEGRATION_TIMEOUT_MS = 30_000;

/** The changes of tomorrow that one endpoint, by its name, has at once. */
export interface Changes {
  readonly endpoint: string;
  readonly scenes: readonly TomorrowScene[];
  /** Whether records that are read one by one are those of a failure. */
  readonly isOfFailure?: boolean;
}

/** Starts the service with the scenes of the interfaces. Requests for other interfaces are a 404 of the gateway. */
export async function startScriptedService(options: ServiceOptions): Promise<ScriptedService> {
  const [server, otherServer] = [createServer(), createServer()];
  const { port, close } = await listenOn(server, options.port);
  const other = await listenOn(otherServer, 0, OTHER_HOST);
  const issued = await issueCredentials({ ...options, baseUrl: `http://127.0.0.1:${port}` });
  const service = new ScriptedService(options, issued, {
    otherUrl: `http://${OTHER_HOST}:${other.port}`,
    close: async () => void (await Promise.all([close(), other.close()])),
  });
  server.on("request", (request, response) => {
    // Only a client that breaks off its own request makes this fail.
    service.answer(request, response).catch(() => response.destroy());
  });
  otherServer.on("request", (request, response) => {
    service.astray.push(sentIn(request));
    // It rejects every caller as unknown.
    response.writeHead(401, { "content-type": "application/json" }).end('{"message":"Unauthorized"}');
  });
  return service;
}

const sentIn = ({ url = "", rawHeaders }: IncomingMessage): SentRequest => ({
  target: url,
  headers: joinHeaders(rawHeaders),
});

/** The reason of a refusal: the one that only the log would have, where there is one. */
const reasonOf = ({ cause, message }: Failure): string => (typeof cause === "string" ? cause : message);

/** A request that reached an endpoint, its answer, and what the answer gives. */
interface Met {
  readonly visit: Visit;
  readonly given: Given;
  readonly answer: HttpResponse;
}

/** The service on a port of its own, where a client meets the scenes. It keeps what each request was and what it met. */
export class ScriptedService {
  readonly issued: Issued;
  readonly visits: Visit[] = [];
  /** The requests that followed a redirect to the other host. */
  readonly astray: SentRequest[] = [];
  /** What the client posted to `/understood`. */
  understood = "";
  readonly #endpoints: readonly PlayedEndpoint[];
  readonly #close: () => Promise<void>;
  readonly #options: ServiceOptions;
  readonly #otherUrl: string;
  readonly #application: ServedApi;
  #run = 0;

  constructor(
    options: ServiceOptions,
    issued: Issued,
    { otherUrl, close }: { readonly otherUrl: string; readonly close: () => Promise<void> },
  ) {
    this.#options = options;
    this.issued = issued;
    this.#otherUrl = otherUrl;
    this.#close = close;
    this.#endpoints = scriptedEndpoints({ issued, ...options })
      .filter(({ interfaceName }) => options.interfaces.includes(interfaceName))
      .map((endpoint) => ({
        endpoint,
        play: new Play(endpoint.manner, scenesOf(endpoint.interfaceName, endpoint.manner)),
      }));
    const routes = this.#endpoints.map(({ endpoint: { contract } }) => ({
      routeKey: `${contract.method} ${contract.route}`,
      functionName: contract.name,
      integrationTimeoutMs: INTEGRATION_TIMEOUT_MS,
    }));
    this.#application = { routes, cors: undefined };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  get baseUrl(): string {
    return this.issued.file.baseUrl;
  }

  /** The environment variables that tell a client its credentials. */
  get variables(): Readonly<Record<string, string>> {
    return clientVariables(this.issued, this.#options.interfaces);
  }

  /** Whether another run meets something new at the endpoints that the client has called. */
  get hasMore(): boolean {
    return this.#endpoints.some(({ play }) => play.isBegun && play.hasMore);
  }

  /** Whether every scene of every interface came to its end. */
  get isOver(): boolean {
    return this.#endpoints.every(({ play }) => play.isOver);
  }

  /**
   * Says that the client starts anew. @returns the number of the run.
   *
   * @param changes what is changed at one endpoint, while no other scene is played; unless given, the scenes go on.
   */
  beginRun(changes?: Changes): number {
    this.#run += 1;
    if (changes !== undefined)
      for (const { endpoint, play } of this.#endpoints)
        play.staged = tomorrowOf(
          endpoint.manner,
          endpoint.contract.name === changes.endpoint ? changes.scenes : [],
          changes.isOfFailure,
        );
    return this.#run;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "POST" && request.url === "/understood") {
      this.understood += `${await text(request)}\n`;
      response.writeHead(204).end();
      return;
    }
    const arrivedMs = this.#options.clock();
    let met: Met | undefined;
    const invokerOf = (played: PlayedEndpoint) => async (event: string) => {
      met = await this.#meet(played, request, JSON.parse(event), arrivedMs);
      return { kind: "result" as const, payload: JSON.stringify(met.answer) };
    };
    const pools = this.#endpoints.map(
      (played) => [played.endpoint.contract.name, { invoke: invokerOf(played) }] as const,
    );
    const handle = createRequestHandler({
      application: this.#application,
      pools: new Map(pools),
      basePath: "",
      clock: this.#options.clock,
      log: (_, line) => console.error(line),
    });
    this.#send(await handle(request), response, met);
  }

  /** Finds the place of a request in its play, and the handler's answer there. */
  async #meet(
    { endpoint, play }: PlayedEndpoint,
    message: IncomingMessage,
    event: unknown,
    arrivedMs: number,
  ): Promise<Met> {
    const given: Given = { changes: [], texts: {} };
    const visit: Visit = {
      number: this.visits.length + 1,
      run: this.#run,
      interfaceName: endpoint.interfaceName,
      endpoint: endpoint.contract.name,
      ...sentIn(message),
      arrivedMs,
      answeredMs: arrivedMs,
      status: 0,
      ...given,
    };
    this.visits.push(visit);
    const what = await endpoint.read(readRequest(event)).then(
      (question) => play.step({ ...question, run: this.#run, now: arrivedMs }),
      (error: unknown) => {
        if (error instanceof Failure) return error;
        throw error;
      },
    );
    if (what instanceof Failure) visit.refusal = { code: what.code, reason: reasonOf(what) };
    else visit.step = what;
    return { visit, given, answer: await endpoint.handler(what, given)(event, {} as Context) };
  }

  /** Sends the answer, or what the scene has in its place, and notes what the client got. */
  #send(given: GatewayResponse, response: ServerResponse, met: Met | undefined): void {
    // Read before the client can have the answer: on a busy machine it may wait while this process stands still.
    const answeredMs = this.#options.clock();
    const step = met?.visit.step;
    const trouble = step?.trouble?.kind;
    const isRedirected = step?.answer === "redirected" && trouble === undefined;
    if (trouble === "cut") response.destroy();
    else if (isRedirected)
      response.writeHead(307, { location: `${this.#otherUrl}${met?.visit.target}` }).end();
    else sendAnswer(response, given, trouble === "cut-body");
    if (met === undefined) return;
    const { visit } = met;
    visit.answeredMs = answeredMs;
    visit.status = trouble === "cut" ? 0 : isRedirected ? 307 : given.statusCode;
    if (visit.status === 200 && trouble === undefined) {
      const tag = given.headers.etag;
      Object.assign(visit, met.given, typeof tag === "string" && { tag });
    }
    this.#options.onVisit?.(visit);
  }
}

/** Sends an answer whole, or only half of its body before the connection is cut. */
function sendAnswer(
  response: ServerResponse,
  { statusCode, headers, body }: GatewayResponse,
  isCut: boolean,
): void {
  response.writeHead(statusCode, {
    ...headers,
    ...(body !== undefined && { "content-length": body.length }),
  });
  if (isCut) response.write(body?.subarray(0, body.length / 2), () => response.destroy());
  else response.end(body);
}
