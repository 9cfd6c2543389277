import { once } from "node:events";
import { type ClientRequest, get as getPlain, type IncomingMessage } from "node:http";
import { get as getSecure } from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import type { Ending } from "../../local/gateway/response.ts";
import { startTestGateway, type TestGateway } from "../support/local-gateway.ts";
import { mutualTlsPair } from "../support/stubborn-clients.ts";

const code = `
export const long = async () => ({ statusCode: 200, body: "0123456789" });
export const short = async () => ({ statusCode: 200, body: "0" });
export const empty = async () => ({ statusCode: 304, body: "" });`;
const endpoints = {
  long: { routeKey: "GET /long" },
  short: { routeKey: "GET /short" },
  empty: { routeKey: "GET /empty" },
};

let gateway: TestGateway | undefined;
const pair = await mutualTlsPair();
afterEach(() => gateway?.close());

/** What a client sees of an answer: its status, the part of its body that came, and the error that it ended with. */
async function seen(
  sent: ClientRequest,
): Promise<{ status?: number | undefined; body?: string; error?: string }> {
  try {
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const { statusCode: status } = response;
    let body = "";
    try {
      for await (const chunk of response) body += String(chunk);
      return { status, body };
    } catch (error) {
      return { status, body, error: (error as NodeJS.ErrnoException).code ?? "" };
    }
  } catch (error) {
    return { error: (error as NodeJS.ErrnoException).code ?? "" };
  }
}

describe.each(["plain", "TLS"] as const)("on a %s connection, a client of an answer", (kind) => {
  async function start(ending: Ending) {
    gateway = await startTestGateway({
      endpoints,
      code,
      interfere: () => async (invoke) => ({ ...(await invoke()), ending }),
      ...(kind === "TLS" && { tls: pair.server }),
    });
    const { url } = gateway;
    return (path: string) =>
      seen(kind === "TLS" ? getSecure(`${url}${path}`, pair.client) : getPlain(`${url}${path}`));
  }

  it("that is cut has the status and half of the body, and knows that the rest is missing", async () => {
    const ask = await start("cut");
    expect(await ask("/long")).toEqual({ status: 200, body: "01234", error: "ECONNRESET" });
    expect(await ask("/short")).toEqual({ status: 200, body: "", error: "ECONNRESET" });
  });

  it("that is reset has nothing of it", async () => {
    const ask = await start("reset");
    for (const path of ["/long", "/empty"]) expect(await ask(path)).toEqual({ error: "ECONNRESET" });
  });
});
