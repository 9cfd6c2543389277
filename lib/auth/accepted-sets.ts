import * as z from "zod/mini";

/** How the pass callback lets a caller prove itself: a client certificate, a signature over the request, a token. */
const evidenceKinds = ["certificate", "jws", "token"] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** Kinds of which all must be presented; one such set suffices. */
export type AcceptedSets = readonly (readonly EvidenceKind[])[];

const isKind = (word: string): word is EvidenceKind => (evidenceKinds as readonly string[]).includes(word);

/** Reads sets written as `certificate+jws token`; undefined when a word is no kind or a kind stands twice in a set. */
function parseSets(text: string): AcceptedSets | undefined {
  const sets = text.split(" ").map((set) => set.split("+"));
  const isSound = sets.every((set) => set.every(isKind) && new Set(set).size === set.length);
  return isSound ? (sets as EvidenceKind[][]) : undefined;
}

const RULE = `must be sets of ${evidenceKinds.join(", ")}, joined with + and separated by a space`;

/** The setting that says which sets are accepted: any one kind by itself, unless it is given. */
export const acceptedSetsSetting = z.pipe(
  z._default(z.string(), evidenceKinds.join(" ")),
  z.transform((text, context): AcceptedSets => {
    const sets = parseSets(text);
    if (sets !== undefined) return sets;
    context.issues.push({ code: "custom", message: RULE, input: text });
    return z.NEVER;
  }),
);
