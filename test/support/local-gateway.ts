import { systemClock } from "../../lib/clock.ts";
import type { Companion } from "../../local/gateway/exchange.ts";
import { createGateway, type GatewayOptions, type MutualTls } from "../../local/gateway/gateway.ts";
import { openPools, type PoolsOptions, startPools } from "../../local/runtime/function-pools.ts";
import { type Application, readApplication } from "../../local/template/template.ts";
import { apiResources, type EndpointContent, writeAssembly } from "./assembly.ts";

export interface TestGateway {
  readonly url: string;
  readonly port: number;
  /** The lines that functions printed, and the gateway's lines about them: `name: line`. */
  readonly lines: readonly string[];
  /** Resolves once a line contains the text. */
  logged(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface TestGatewayOptions
  extends Pick<GatewayOptions, "patienceMs" | "endingMs" | "interfere" | "pages"> {
  readonly endpoints: Readonly<Record<string, EndpointContent>>;
  /** The bundle's `index.mjs`. */
  readonly code: string;
  readonly api?: object;
  readonly basePath?: string;
  /** Serves the API only to clients with certificates. */
  readonly tls?: MutualTls;
  /** The functions' store; none that answers unless given. */
  readonly store?: PoolsOptions["store"];
  /** Loads each function with its first request, for a test that calls few of them. */
  readonly isLazy?: boolean;
  /** Makes what accompanies the answers. */
  readonly companionOf?: (application: Application) => Companion;
}

/** Starts a gateway on a free port, in front of functions that a test writes. */
export async function startTestGateway({
  endpoints,
  code,
  api,
  basePath = "",
  tls,
  store = { endpoint: "http://127.0.0.1:9", admit: async () => {} },
  isLazy = false,
  companionOf,
  ...times
}: TestGatewayOptions): Promise<TestGateway> {
  const assembly = writeAssembly({
    stacks: { api: { Resources: apiResources(endpoints, api) } },
    code: { "index.mjs": code },
  });
  const application = readApplication(assembly);
  const lines: string[] = [];
  const waiting: { text: string; resolve: () => void }[] = [];
  const log = (name: string, line: string): void => {
    lines.push(`${name}: ${line}`);
    for (const { text, resolve } of waiting) if (line.includes(text)) resolve();
  };
  const parts = { application, clock: systemClock, log };
  const pools = await (isLazy ? openPools : startPools)({ ...parts, store, overrides: {} });
  const companion = companionOf?.(application);
  const gateway = createGateway(
    { ...parts, ...times, pools, basePath, ...(companion !== undefined && { companion }) },
    tls,
  );
  const port = await gateway.listen(0, "127.0.0.1");
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    lines,
    logged: (text) =>
      lines.some((line) => line.includes(text))
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ text, resolve })),
    close: async () => {
      await gateway.close();
      for (const pool of pools.values()) await pool.close();
    },
  };
}

/** Sends bytes to a port and resolves with everything that comes back until the other side closes. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const { connect } = await import("node:net");
  const socket = connect(port, "127.0.0.1");
  socket.write(text, "latin1");
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}
