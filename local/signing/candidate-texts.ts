import { type SignedParts, signedText } from "../../lib/signature/canonical-request.ts";

/** A text that a client may have signed, and how it differs from the text that had to be signed. */
export interface CandidateText {
  readonly text: string;
  readonly mistakes: readonly string[];
}

interface Variant {
  readonly value: string;
  readonly mistake: string | undefined;
}

const right = (value: string): Variant => ({ value, mistake: undefined });
const wrong = (value: string, mistake: string): Variant => ({ value, mistake });

/** The right value, and after it the mistaken ones that differ from it and from each other. */
function variantsOf(value: string, mistaken: readonly Variant[]): readonly Variant[] {
  const seen = new Set([value]);
  return [right(value), ...mistaken.filter((variant) => !seen.has(variant.value) && seen.add(variant.value))];
}

function timestamps(timestamp: string): readonly Variant[] {
  const mistakes = [
    wrong(
      timestamp.slice(0, 10),
      "the timestamp was signed in seconds, but its header is in milliseconds: sign the header's text",
    ),
    wrong(
      `${timestamp}000`,
      "the timestamp was signed in other units than its header: sign the header's text",
    ),
    wrong("", "the timestamp is missing in the signed text: it stands first"),
  ];
  return variantsOf(timestamp, mistakes);
}

function methods(method: string): readonly Variant[] {
  return variantsOf(method, [
    wrong(method.toLowerCase(), "the method was signed in lower case: sign it in upper case"),
    wrong("", "the method is missing in the signed text: it stands after the timestamp"),
  ]);
}

/** Any beginning of the path may be a base path, even where no base path is known. */
const withoutBasePaths = (path: string): readonly Variant[] =>
  Array.from(path.matchAll(/(?<=.)\//g), ({ index }) =>
    wrong(
      path.slice(index),
      `the base path ${path.slice(0, index)} is missing in the signed path: sign the path as it stands in the URL`,
    ),
  );

function paths(path: string, basePath: string, origin: string): readonly Variant[] {
  const symbol = path.slice(path.lastIndexOf("/") + 1);
  const upTo = path.slice(0, path.length - symbol.length);
  return variantsOf(path, [
    ...withoutBasePaths(path),
    wrong(basePath + path, `the base path ${basePath} stands twice in the signed path`),
    wrong(origin + path, "the whole URL was signed: sign the path and the query only"),
    wrong(
      origin.replace(/^[a-z]+:\/\//i, "") + path,
      "the host was signed: sign the path and the query only",
    ),
    wrong(
      upTo + symbol.toLowerCase(),
      "the symbol was signed in lower case: sign it in upper case, as it is sent",
    ),
    wrong(
      upTo + encodeURIComponent(symbol).replaceAll("-", "%2D"),
      "the path was signed percent-encoded: sign it decoded",
    ),
    wrong(path.slice(1), "the signed path lacks its leading slash"),
    wrong(`${path}/`, "the signed path has a trailing slash that the URL lacks"),
    wrong("", "the path is missing in the signed text"),
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
  const sorted = query.split("&").toSorted().join("&");
  const recoded = new URLSearchParams(query).toString();
  const forms = [
    wrong(sorted, "the query was sorted before it was signed: sign it in the order in which it is sent"),
    wrong(recoded, "the query was encoded again before it was signed: sign the very bytes that are sent"),
    wrong(decoded(query), "the query was signed decoded: sign the very bytes that are sent"),
    wrong(
      JSON.stringify(Object.fromEntries(new URLSearchParams(query))),
      "the parameters were signed as JSON: sign the query string",
    ),
    wrong("", "the query is missing in the signed text"),
  ];
  const mark = "a ? was signed between path and query: nothing stands between them";
  const marked = [right(query), ...forms].map(({ value, mistake }) =>
    wrong(`?${value}`, mistake === undefined ? mark : `${mark}; and ${mistake}`),
  );
  return variantsOf(query, [...forms, ...marked]);
}

function endings(): readonly Variant[] {
  return [
    right(""),
    wrong("{}", "an empty JSON body was signed after the query: there is no body"),
    wrong("null", "the word null was signed after the query: there is no body"),
    wrong("undefined", "the word undefined was signed after the query: there is no body"),
    wrong("\n", "a line end was signed after the text"),
  ];
}

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
          for (const ending of endings()) {
            const chosen = [timestamp, method, path, query, ending];
            const mistakes = chosen.flatMap(({ mistake }) => (mistake === undefined ? [] : [mistake]));
            if (mistakes.length > MISTAKES_MAX) continue;
            const text =
              signedText({
                timestamp: timestamp.value,
                method: method.value,
                path: path.value,
                rawQuery: query.value,
              }) + ending.value;
            candidates.push({ text, mistakes });
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
