import { CountinghouseError } from "../../client/src/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type ConnectionOptions, connect } from "../get/connection.ts";
import { instantText } from "../terminal/write-table.ts";
import { type Found, fail, notChecked, ok } from "./finding.ts";

const HOUR_MS = 3_600_000;
/** Somebody waits for the diagnosis: an endpoint that is down is told of soon, and one that stumbled once is not. */
const MANNER = { retry: { totalMs: 2_000 } };

/** The service to ask, and with whose credentials. */
export type SignedQuestion = ConnectionOptions & {
  /** The market whose trades of the last hour are asked for. */
  readonly symbol: string | undefined;
};

/**
 * Sends one request that proves its caller, through everything: name, gateway, function, store. It is signed with the
 * trading client's key where there is one, or else carries the access token of a business.
 */
export async function checkSigned({ symbol, ...options }: SignedQuestion, clock: Clock): Promise<Found> {
  const from = instantText(clock() - HOUR_MS);
  try {
    if (options.tokenFile !== undefined) {
      const { client, url } = await connect("business", options, MANNER);
      for await (const _ of client.business.transactions({ from })) break;
      return ok(`${url} answers a business's request with an access token`);
    }
    if (symbol === undefined) return notChecked("no market is listed whose trades could be asked for");
    const { client, url } = await connect("exchange", options, MANNER);
    for await (const _ of client.exchange.trades({ symbol, from })) break;
    return ok(`${url} answers a signed request for ${symbol}`);
  } catch (error) {
    if (error instanceof OperatorError) return notChecked(error.message);
    if (error instanceof CountinghouseError)
      return fail(`the answer is ${error.code}: ${error.message}`, todoOf(error.code));
    throw error;
  }
}

function todoOf(code: string): string {
  if (code === "invalid_credentials")
    return "See that the key is registered and in force (`keys list`), and that this machine's clock is right.";
  if (code === "service_disabled") return "The endpoint is switched off: `switch status` says why.";
  return "docs/runbook.md has what to do about failures; the request's log line has the reason.";
}
