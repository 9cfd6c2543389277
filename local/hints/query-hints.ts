import { nearestName } from "../../lib/http/nearest-name.ts";
import { readableTarget } from "../gateway/exchange.ts";
import { readQuery } from "../gateway/request-target.ts";
import type { Hint } from "./request-seen.ts";
import { shownName } from "./shown-name.ts";

/** Names the query parameters that an endpoint ignored. A list refuses them itself, and names them in its answer. */
export const queryHints: Hint = ({ exchange, contract }) => {
  const target = readableTarget(exchange);
  if (contract === undefined || target === undefined || contract.refusesUnknown === true) return [];
  const known = Object.keys(contract.query.shape);
  return Object.keys(readQuery(target.rawQuery) ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ignored(name, known));
};

function ignored(name: string, known: readonly string[]): string {
  const shown = shownName(name);
  const which = shown === undefined ? "A query parameter" : `The query parameter ${shown}`;
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `${which} was ignored; did you mean "${nearest}"?`;
  return `${which} was ignored; this endpoint takes ${known.length === 0 ? "none" : known.join(", ")}.`;
}
