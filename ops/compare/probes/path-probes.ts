import { getPass, type Probe, plain, segment, segmentTwice } from "../probe.ts";
import { CannotAsk, type Side } from "../side.ts";

/** Paths that reach a function, or do not, which the answer tells by its body. */
const SAMPLES = [
  ["question-mark", "/passes/compare%3Fx=1", "The path ends at an encoded question mark."],
  ["percent", "/passes/50%25", "An encoded percent sign alone cannot be decoded twice."],
  ["slash", "/passes/com%2Fpare", "An encoded slash separates segments."],
  ["question-mark-lower-case", "/passes/compare%3fx=1", "The digits of an encoding have no letter case."],
  ["slash-encoded-twice", "/passes/com%252Fpare", "The path is decoded twice before a route is looked for."],
  [
    "question-mark-encoded-twice",
    "/passes/com%253Fpare",
    "A question mark of the second decoding stays in the path.",
  ],
  ["percent-encoded-twice", "/passes/50%2525", "A percent sign that was encoded twice can be decoded twice."],
  ["stray-percent", "/passes/50%", "A percent sign that begins no encoded byte is refused."],
  ["stray-percent-in-the-middle", "/passes/50%zz", "A percent sign before two letters is refused."],
  [
    "encoded-separator",
    "/passes%2Fcompare",
    "An encoded slash separates the literal segments of a route, too.",
  ],
  ["invalid-utf8", "/passes/%FF", "Bytes that are not UTF-8 are replaced."],
  ["unicode", "/passes/%CE%BB-%E4%B8%96", "Encoded UTF-8 reaches the function."],
  ["raw-bytes", "/passes/\u00e9", "A byte beyond ASCII that is not encoded."],
  ["nul", "/passes/a%00b", "An encoded NUL."],
  ["line-end", "/passes/a%0D%0Ab", "An encoded line end."],
  ["space", "/passes/a%20b", "An encoded space."],
  ["plus", "/passes/a+b", "A plus sign is not a space in a path."],
  ["hash", "/passes/a%23b", "An encoded hash sign."],
  ["raw-hash", "/passes/a#b", "A hash sign that is not encoded is an ordinary character."],
  ["semicolon", "/passes/a;b=c", "A semicolon separates nothing."],
  ["brackets", "/passes/[a]|b", "Characters that a URL parser would encode."],
  ["dot", "/passes/./compare", "A dot segment is not removed."],
  ["dot-dot", "/passes/a/../compare", "Two dots do not go up."],
  ["encoded-dot-dot", "/passes/a/%2E%2E/compare", "Encoded dots do not go up."],
  ["double-slash", "/passes//compare", "Two slashes enclose an empty segment."],
  ["leading-double-slash", "//passes/compare", "Two slashes at the beginning."],
  ["empty-segment", "/passes/", "A parameter of a route is not empty."],
  ["upper-case", "/PASSES/compare", "Routes have a letter case."],
  ["encoded-letter", "/p%61sses/compare", "An encoded letter of a route matches it."],
  ["unknown", "/compare-unknown", "A path without a route."],
  ["surplus-segment", "/transactions/compare/more", "A path with a segment more than the route."],
  ["long", `/passes/${"a".repeat(2_000)}`, "A long path."],
] as const;

const anonymous: readonly Probe[] = SAMPLES.map(([name, target, shows]) => ({
  name: `path-${name}`,
  shows,
  sending: plain({ target }),
}));

/** Paths whose reading shows in the record that is found. */
const authorised: readonly Probe[] = [
  {
    name: "path-pass-before-question-mark",
    shows: "What stands before an encoded question mark is the parameter, and the query is empty.",
    meant: 200,
    sending: (side) => getPass(side, `/passes/${segment(side.get("passes.partnerReference"))}%3Fx=1`),
  },
  {
    name: "path-pass-encoded-twice",
    shows: "A parameter reaches the function decoded twice.",
    meant: 200,
    sending: (side) => getPass(side, `/passes/${segmentTwice(side.get("passes.partnerReference"))}`),
  },
  {
    name: "path-absolute-form",
    shows: "A target with scheme and host, as for a proxy, is read as its path.",
    sending: (side) => ({ message: { target: `http://${side.url.host}${side.basePath}/passes/compare` } }),
  },
];

function basePathOf({ label, basePath }: Side): string {
  if (basePath !== "") return basePath;
  throw new CannotAsk(`the address of ${label} has no base path`);
}

/** Paths in and around the base path, for addresses that have one. */
const based: readonly Probe[] = [
  {
    name: "path-outside-base",
    shows: "A path outside of the base path reaches no API.",
    sending: (side) => ({ message: { target: `${basePathOf(side)}x/passes/compare` } }),
  },
  {
    name: "path-without-base",
    shows: "A path without the base path reaches no API.",
    sending: (side) => {
      basePathOf(side);
      return { message: { target: "/passes/compare" } };
    },
  },
  {
    name: "path-encoded-base",
    shows: "The base path is compared with the path as it was sent.",
    sending: (side) => {
      const [, first = "", rest = ""] = /^\/(.)(.*)$/.exec(basePathOf(side)) ?? [];
      return { message: { target: `/${segmentTwice(first).replace("%25", "%")}${rest}/passes/compare` } };
    },
  },
];

/** Awkward paths; the first three are those of which least is known. */
export const pathProbes: readonly Probe[] = [...anonymous, ...authorised, ...based];
