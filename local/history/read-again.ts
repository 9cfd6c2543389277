import { Failure } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { readParameters } from "../../lib/http/parameters.ts";
import { type Exchange, readableTarget } from "../gateway/exchange.ts";
import { isCredential } from "../http/shown-target.ts";

/** Path and query of a request, read by its contract. */
export type ReadAgain =
  | { readonly parameters: Readonly<Record<string, string>> }
  /** The sentence with which the contract refuses them. */
  | { readonly violation: string };

const VALUE_MAX = 200;

/** Reads a request's parameters as its function does. What has the form of a credential is left out. */
export function readAgain(exchange: Exchange, contract: EndpointContract): ReadAgain {
  const { match, method } = exchange;
  const request = {
    method,
    path: readableTarget(exchange)?.path ?? "",
    rawQuery: readableTarget(exchange)?.rawQuery ?? "",
    pathParameters: match?.pathParameters ?? {},
    headers: {},
    hasBody: false,
    clientCertificate: undefined,
    gatewayRequestId: undefined,
  };
  try {
    const { path, query } = readParameters(contract, request);
    const read = { ...(path as object), ...(query as object) };
    const shown = Object.entries(read).map(([name, value]) => [name, shownValue(value)]);
    return { parameters: Object.fromEntries(shown) };
  } catch (error) {
    if (error instanceof Failure) return { violation: error.message };
    throw error;
  }
}

function shownValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return isCredential(text) ? "(not shown)" : text.slice(0, VALUE_MAX);
}
