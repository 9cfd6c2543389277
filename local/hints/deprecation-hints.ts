import { readQuery } from "../gateway/request-target.ts";
import type { Hint } from "./request-seen.ts";

const DAY_LENGTH = "2026-07-01".length;
/** The target of a link with the relation `successor-version`, as the service writes it. */
const SUCCESSOR = /^<([\x21-\x7e]+)>; rel="successor-version"$/;

/** Says which deprecated form a request used (RFC 9745), until when it works (RFC 8594), and what replaces it. */
export const deprecationHints: Hint = ({ exchange: { response, target }, contract }) => {
  const { deprecation, sunset, link } = headersOf(response.headers);
  if (contract === undefined || deprecation === undefined || typeof target === "string") return [];
  const since = dayOf(Number(deprecation.slice(1)) * 1_000);
  const until = sunset === undefined ? "" : ` and ends ${dayOf(Date.parse(sunset))}`;
  const successor = SUCCESSOR.exec(link ?? "")?.[1];
  const instead = successor === undefined ? "" : `; use ${successor} instead`;
  const known = Object.keys(contract.query.shape);
  const names = Object.keys(readQuery(target.rawQuery) ?? {}).filter((name) => known.includes(name));
  return [`The use of ${names.join(", ")} is deprecated since ${since}${until}${instead}.`];
};

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, DAY_LENGTH);

const headersOf = (headers: Readonly<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
