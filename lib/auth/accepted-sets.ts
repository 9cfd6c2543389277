import * as z from "zod/mini";

/**
 * Evidence by which a caller of the pass callback proves itself: a client certificate, a signature, or a token. The
 * checks are in `authenticateWallet`. Stored credentials have kinds of their own, `CredentialKind`.
 */
const evidenceKinds = ["certificate", "jws", "token"] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** Each set lists kinds that must be presented together; one of the sets suffices. */
export type AcceptedSets = readonly (readonly EvidenceKind[])[];

const isKind = (word: string): word is EvidenceKind => (evidenceKinds as readonly string[]).includes(word);

/**
 * Reads sets written as `certificate+jws token`; undefined for an unknown word or a kind that stands twice in a set.
 */
function parseSets(text: string): AcceptedSets | undefined {
  const sets = text.split(" ").map((set) => set.split("+"));
  const isSound = sets.every((set) => set.every(isKind) && new Set(set).size === set.length);
  return isSound ? (sets as EvidenceKind[][]) : undefined;
}

const RULE = `must be sets of ${evidenceKinds.join(", ")}, joined with + and separated by a space`;

/** The setting of the accepted sets; by default, any one kind suffices. */
export const acceptedSetsSetting = z.pipe(
  z._default(z.string(), evidenceKinds.join(" ")),
  z.transform((text, context): AcceptedSets => {
    const sets = parseSets(text);
    if (sets !== undefined) return sets;
    context.issues.push({ code: "custom", message: RULE, input: text });
    return z.NEVER;
  }),
);
