import { type SignedParts, signedText } from "../../lib/signature/canonical-request.ts";

/** A text that a client may have signed, and how it differs from the text that had to be signed. */
export interface CandidateText {
  readonly text: string;
  readonly mistakes: readonly string[];
}

/** A part of the text as a client may have signed it, and the mistake in it; none for the right one. */
type Variant = readonly [value: string, mistake?: string];

/** The right value, and after it the mistaken ones that differ from it and from each other. */
function variantsOf(value: string, mistaken: readonly Variant[]): readonly Variant[] {
  const seen = new Set([value]);
  return [[value], ...mistaken.filter(([other]) => !seen.has(other) && seen.add(other))];
}

const OF_HEADER = "sign the header's text";
const PATH_ONLY = "sign the path and the query only";
const BYTES_SENT = "sign the very bytes that are sent";
const NO_BODY = "was signed after the query: there is no body";

const timestamps = (timestamp: string): readonly Variant[] =>
  variantsOf(timestamp, [
    [
      timestamp.slice(0, 10),
      `the timestamp was signed in seconds, but its header is in milliseconds: ${OF_HEADER}`,
    ],
    [`${timestamp}000`, `the timestamp was signed in other units than its header: ${OF_HEADER}`],
    ["", "the timestamp is missing in the signed text: it stands first"],
  ]);

const methods = (method: string): readonly Variant[] =>
  variantsOf(method, [
    [method.toLowerCase(), "the method was signed in lower case: sign it in upper case"],
    ["", "the method is missing in the signed text: it stands after the timestamp"],
  ]);

/** Any beginning of the path may be a base path, even where no base path is known. */
const withoutBasePaths = (path: string): readonly Variant[] =>
  Array.from(path.matchAll(/(?<=.)\//g), ({ index }) => [
    path.slice(index),
    `the base path ${path.slice(0, index)} is missing in the signed path: sign the path as it stands in the URL`,
  ]);

function paths(path: string, basePath: string, origin: string): readonly Variant[] {
  const symbol = path.slice(path.lastIndexOf("/") + 1);
  const upTo = path.slice(0, path.length - symbol.length);
  const encoded = encodeURIComponent(symbol).replaceAll("-", "%2D");
  return variantsOf(path, [
    ...withoutBasePaths(path),
    [basePath + path, `the base path ${basePath} stands twice in the signed path`],
    [origin + path, `the whole URL was signed: ${PATH_ONLY}`],
    [origin.replace(/^[a-z]+:\/\//i, "") + path, `the host was signed: ${PATH_ONLY}`],
    [
      upTo + symbol.toLowerCase(),
      "the symbol was signed in lower case: sign it in upper case, as it is sent",
    ],
    [upTo + encoded, "the path was signed percent-encoded: sign it decoded"],
    [path.slice(1), "the signed path lacks its leading slash"],
    [`${path}/`, "the signed path has a trailing slash that the URL lacks"],
    ["", "the path is missing in the signed text"],
  ]);
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query.replaceAll("+", " "));
  } catch {
    return query;
  }
}

function queries(query: string): readonly Variant[] {
  const members = new URLSearchParams(query);
  const sorted = query.split("&").toSorted().join("&");
  const asJson = JSON.stringify(Object.fromEntries(members));
  const forms: readonly Variant[] = [
    [sorted, "the query was sorted before it was signed: sign it in the order in which it is sent"],
    [members.toString(), `the query was encoded again before it was signed: ${BYTES_SENT}`],
    [decoded(query), `the query was signed decoded: ${BYTES_SENT}`],
    [asJson, "the parameters were signed as JSON: sign the query string"],
    ["", "the query is missing in the signed text"],
  ];
  const mark = "a ? was signed between path and query: nothing stands between them";
  const marked = [[query] as const, ...forms].map(
    ([value, mistake]): Variant => [`?${value}`, mistake === undefined ? mark : `${mark}; and ${mistake}`],
  );
  return variantsOf(query, [...forms, ...marked]);
}

const ENDINGS: readonly Variant[] = [
  [""],
  ["{}", `an empty JSON body ${NO_BODY}`],
  ["null", `the word null ${NO_BODY}`],
  ["undefined", `the word undefined ${NO_BODY}`],
  ["\n", "a line end was signed after the text"],
];

const SEPARATORS = ["\n", "|", "&", ".", ":", " "];

/** The texts that a client may have signed: the right one first, then those with the fewest mistakes. */
export function candidateTexts(
  parts: SignedParts,
  basePath: string,
  origin: string,
): readonly CandidateText[] {
  const candidates: CandidateText[] = [];
  for (const timestamp of timestamps(parts.timestamp))
    for (const method of methods(parts.method))
      for (const path of paths(parts.path, basePath, origin))
        for (const query of queries(parts.rawQuery))
          for (const ending of ENDINGS) {
            const mistakes = [timestamp, method, path, query, ending].flatMap(([, mistake]) => mistake ?? []);
            if (mistakes.length > MISTAKES_MAX) continue;
            const signed = { timestamp: timestamp[0], method: method[0], path: path[0], rawQuery: query[0] };
            candidates.push({ text: signedText(signed) + ending[0], mistakes });
          }
  candidates.push(...separated(parts));
  return candidates.toSorted((one, other) => one.mistakes.length - other.mistakes.length);
}

/** The most mistakes that are looked for in one signature: the search for one more takes ten times as long. */
const MISTAKES_MAX = 3;

function separated({ timestamp, method, path, rawQuery }: SignedParts): CandidateText[] {
  return SEPARATORS.map((separator) => ({
    text: [timestamp, method, path, rawQuery].join(separator),
    mistakes: [`the parts were joined with ${JSON.stringify(separator)}: nothing stands between them`],
  }));
}
