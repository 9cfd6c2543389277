import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { vi } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import type { TableName } from "../../../lib/dynamo/tables.ts";
import { endpointReferences } from "../../../local/endpoints/endpoints.ts";
import { clearFaults, setFault } from "../../../local/faults/fault-routes.ts";
import { signRequest } from "../../../local/signing/sign-request.ts";
import { askControl } from "../../../ops/control/ask-control.ts";
import { startTestService, type TestService } from "../service.ts";
import { startTableProxy, type TableFault, type TableProxy } from "./table-proxy.ts";

/** An answer of an endpoint, with everything that was written of it. */
export interface WatchedAnswer {
  readonly endpoint: string;
  readonly status: number;
  /** The lines that the function wrote for the request; none where the gateway answered by itself. */
  readonly lines: readonly string[];
  /** The status in the function's own line; undefined without one. */
  readonly functionStatus: number | undefined;
}

type Request = readonly [path: string, headers: Readonly<Record<string, string>>];

/** The local service, of which everything is kept that a stage's alarms look at. */
export class WatchedService {
  readonly service: TestService;
  readonly proxy: TableProxy;

  static async start(): Promise<WatchedService> {
    let proxy: TableProxy | undefined;
    const service = await startTestService("dynalite", contractBrand, [], async (endpoint) => {
      proxy = await startTableProxy(endpoint);
      return proxy.endpoint;
    });
    if (proxy === undefined) throw new Error("The service has started without its store.");
    return new WatchedService(service, proxy);
  }

  private constructor(service: TestService, proxy: TableProxy) {
    this.service = service;
    this.proxy = proxy;
  }

  /** Asks every endpoint once, with the demo's credentials or with wrong ones. */
  async askAll(credentials: "right" | "wrong" = "right"): Promise<readonly WatchedAnswer[]> {
    const answers: WatchedAnswer[] = [];
    for (const [endpoint, request] of Object.entries(this.#requests()))
      answers.push(await this.ask(endpoint, request(credentials === "right")));
    return answers;
  }

  /** Asks every endpoint while a fault of `npm run ops -- demo fault` is on. */
  async askAllUnder(fault: string): Promise<readonly WatchedAnswer[]> {
    await askControl(this.service.dataDir, setFault, { route: "all", fault });
    const answers = await this.askAll();
    await askControl(this.service.dataDir, clearFaults, {});
    return answers;
  }

  /** Asks every endpoint while a table fails. */
  async askAllWithout(table: TableName, fault: TableFault): Promise<readonly WatchedAnswer[]> {
    const name = this.service.tableName(table);
    this.proxy.faults.set(name, fault);
    const answers = await this.askAll();
    this.proxy.faults.delete(name);
    return answers;
  }

  /** Asks once. The lines of a request are those that were written since it was sent: one is sent at a time. */
  async ask(endpoint: string, [path, headers]: Request): Promise<WatchedAnswer> {
    const { lines, baseUrl } = this.service;
    const before = lines.length;
    const response = await fetch(`${baseUrl}${path}`, { headers });
    await response.arrayBuffer();
    const id = response.headers.get("apigw-requestid") ?? "";
    const own = (): string[] =>
      lines
        .slice(before)
        .map((line) => line.slice(line.indexOf(": ") + 2))
        .filter((line) => line.startsWith("{"));
    const requestLine = () => own().find((line) => line.includes(`"gateway_request_id":"${id}"`));
    const isOwn = response.headers.has("request-id");
    if (isOwn) await vi.waitFor(() => requestLine() ?? Promise.reject(new Error(`No line of ${id}`)));
    const { status } = JSON.parse(requestLine() ?? "{}") as { readonly status?: number };
    return { endpoint, status: response.status, lines: own(), functionStatus: status };
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.proxy.close();
  }

  /** The demo's request for each endpoint, by the endpoint's name. */
  #requests(): Readonly<Record<string, (isRight: boolean) => Request>> {
    const { demo } = this.service;
    return Object.fromEntries(
      endpointReferences.map(({ contract, tag, curl }) => [
        contract.name,
        (isRight) => {
          if (tag === "Exchange") return this.trades(demo.exchange.symbol, isRight);
          const [shown] = curl(demo);
          const headers = shown?.options.flatMap((word) => {
            const [, name, value] = (typeof word === "string" && /^(.+?): (.*)$/.exec(word)) || [];
            const isGood = isRight || name === demo.passes.versionHeader;
            return name === undefined ? [] : [[name, isGood ? value : "wrong"]];
          });
          return [`${shown?.url.slice(demo.baseUrl.length)}`, Object.fromEntries(headers ?? [])];
        },
      ]),
    );
  }

  /** A request for a page of trades. */
  trades(symbol: string, isRight = true): Request {
    const { baseUrl, demo } = this.service;
    const { apiKey, privateKeyFile, headerPrefix } = demo.exchange;
    const path = `/1.0/trades/all/${symbol}?limit=5`;
    const key = {
      apiKey: isRight ? apiKey : "wrong",
      privateKey: createPrivateKey(readFileSync(privateKeyFile)),
    };
    return [
      path,
      signRequest({ method: "GET", url: `${baseUrl}${path}`, now: Date.now() }, key, headerPrefix),
    ];
  }
}
