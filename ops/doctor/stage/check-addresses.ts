import * as z from "zod/mini";
import { type Found, fail, notChecked, ok, warn } from "../finding.ts";
import type { StageContext } from "./stage-context.ts";

/** Where clients without certificates reach the stage; undefined where that is not known. */
export async function addressOf({ stage, stack }: StageContext): Promise<string | undefined> {
  const { domains, brand } = stage;
  if (domains !== undefined) return `https://${domains.open.name}${brand.basePath}`;
  const { ApiUrl } = (await stack("api")).outputs;
  return ApiUrl;
}

/** An order that no partner has, as nobody can see without a key. */
const PROBE = "/sell-orders/01kdvdna00vzkwfkrqvamzw1gz";
const TIMEOUT_MS = 10_000;

/** The members by which a refusal of ours is known. */
const refusalSchema = z.object({ code: z.string(), error_id: z.string() });

/** Whether the public address answers a request without credentials as only our functions do. */
export async function checkAnswer(address: string, ask: typeof fetch): Promise<Found> {
  const response = await ask(`${address}${PROBE}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "manual",
  });
  const text = await response.text();
  const { code, error_id: errorId } = bodyOf(text);
  if (response.status === 401 && code === "invalid_credentials" && errorId !== undefined)
    return ok(`${address} refuses a request without credentials, with our own 401 (error_id ${errorId})`);
  const seen = `${address} answers ${response.status}${code === undefined ? " with a body that is not ours" : ` ${code}`}`;
  if (code === "service_disabled")
    return warn(seen, "The endpoint is switched off: `switch status` says why.");
  if (response.status >= 500) return fail(seen, "docs/runbook.md, Gateway and Failures.");
  return fail(
    seen,
    "The address leads to something else, or the API has no mapping: docs/deployment.md, Deploy.",
  );
}

function bodyOf(text: string): Readonly<Partial<Record<"code" | "error_id", string>>> {
  try {
    const { data } = refusalSchema.safeParse(JSON.parse(text));
    return data ?? {};
  } catch {
    return {};
  }
}

/** Whether the address for clients with certificates lets nobody in without one. */
export async function checkMutualTls({ stage, fetch: ask }: StageContext): Promise<Found> {
  const { mutualTls } = stage.domains ?? {};
  if (mutualTls === undefined) return ok("the stage asks for no client certificates");
  const address = `https://${mutualTls.name}${stage.brand.basePath}`;
  try {
    const { status } = await ask(`${address}/passes/x`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    if (status === 403) return ok(`${address} refuses clients without a certificate (403)`);
    return fail(
      `${address} answers ${status} to a client without a certificate`,
      "Anybody reaches the functions there: deploy the domains again, and see the domain's mutual TLS in the console.",
    );
  } catch (error) {
    const { code = "" } = ((error as Error).cause ?? error) as { readonly code?: string };
    // A refused handshake ends the connection; a name that does not exist says nothing.
    if (/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_SSL)/.test(code))
      return ok(`${address} refuses the handshake without a certificate`);
    throw error;
  }
}

/** Whether the names of the stage's domains lead to its gateway. */
export async function checkNames({ stage, stack, resolve }: StageContext): Promise<readonly Found[]> {
  const { open, mutualTls } = stage.domains ?? {};
  if (open === undefined) return [ok("the stage has no domain of its own")];
  const { outputs } = await stack("domains");
  const targetOf = (prefix: string) =>
    Object.entries(outputs).find(([key]) => key.startsWith(prefix) && !key.startsWith(`${prefix}Zone`))?.[1];
  const names = [
    { name: open.name, target: targetOf("OpenTarget") },
    ...(mutualTls === undefined ? [] : [{ name: mutualTls.name, target: targetOf("MutualTlsTarget") }]),
  ];
  return await Promise.all(names.map(({ name, target }) => judgeName(name, target, resolve)));
}

async function judgeName(
  name: string,
  target: string | undefined,
  resolve: StageContext["resolve"],
): Promise<Found> {
  if (target === undefined) return notChecked(`the domains stack names no target for ${name}`);
  const record = `Point a DNS record of ${name} to ${target} (CNAME, or an alias in Route 53).`;
  const [own, wanted] = await Promise.all([resolve(name).catch(() => []), resolve(target)]);
  if (own.length === 0) return fail(`${name} leads nowhere`, record);
  if (own.some((address) => wanted.includes(address))) return ok(`${name} leads to the gateway`);
  // A content delivery network may stand in front.
  return warn(
    `${name} leads to ${own.join(", ")}, not to the gateway`,
    `${record} Nothing is to do if it leads there through another service.`,
  );
}
