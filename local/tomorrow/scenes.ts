import { cutElements, cutMembers } from "../../lib/ingest/cut-json.ts";
import { DIGITS_MAX, PLAIN } from "../../lib/trades/decimal.ts";
import type { ParameterText } from "../endpoints/endpoint-reference.ts";
import { endpointReferences } from "../endpoints/endpoints.ts";
import { documentSchema, type JsonSchema } from "../endpoints/json-schema.ts";
import { LONGER } from "../records/longer-id.ts";

/** A change that the contracts allow to come, as one answer has it. */
export interface TomorrowScene {
  /** What is new, as a person says it; unique within an endpoint. */
  readonly name: string;
  readonly kind: SceneKind;
  /** The path of the member, or of the object that has a new one, such as `legs[].amount`; "" is the record itself. */
  readonly member?: string;
  /** The characters of a longest id, or the digits of a longest amount. */
  readonly size?: number | undefined;
  /** Whether an object that is left empty is gone as well. */
  readonly dropsEmpty?: boolean;
}

/** What a client has to do about each kind, in one sentence. */
export const adviceOn = {
  "new-word": "Keep a record with a word that you do not know, and take the word for none of those you know.",
  "new-member": "Ignore members that you do not know.",
  "absent-member": "Read the member as one that may be absent, in every answer.",
  "longest-id": "Keep and compare ids whole, with room for all their characters.",
  "longest-amount": `Read amounts from their text, as decimals of ${DIGITS_MAX} digits; a double keeps 15 to 17.`,
  "empty-page": "Go on until an answer names no next page, however few records a page has.",
  "past-sunset": "Use what the `Link` of the answer names, without the deprecated parameter.",
} as const;

type SceneKind = keyof typeof adviceOn;

/** A kind of scene, whether it can be, and its name. */
type Candidate = readonly [kind: SceneKind, isThere: boolean, name: string];

const scenesOf = (
  candidates: readonly Candidate[],
  where: Pick<TomorrowScene, "member" | "size" | "dropsEmpty"> = {},
): readonly TomorrowScene[] =>
  candidates.filter(([, isThere]) => isThere).map(([kind, , name]) => ({ name, kind, ...where }));

/** What was found before: whoever plays the scenes asks for them at each answer. */
const known = new Map<string, readonly TomorrowScene[]>();

/**
 * What the contracts allow to come in the answers of an endpoint, by its name. All of it follows from the schema of the
 * record that it answers with, and from its parameters. A constant is none of the schema's lists of words.
 */
export function tomorrowScenes(endpointName: string): readonly TomorrowScene[] {
  const scenes = known.get(endpointName) ?? findScenes(endpointName);
  known.set(endpointName, scenes);
  return scenes;
}

const findScenes = (endpointName: string): readonly TomorrowScene[] =>
  endpointReferences
    .filter(({ contract }) => contract.name === endpointName)
    .flatMap(({ parameters, success: { record, isList = false } }) => [
      ...recordScenes(documentSchema(record.shape, { ...record, isClosed: false }), { ...record, isList }),
      ...scenesOf([
        ["empty-page", Object.hasOwn(parameters, "cursor"), "an empty page with a next one"],
        [
          "past-sunset",
          Object.values<ParameterText>(parameters).some(({ deprecated }) => deprecated === true),
          "the `Sunset` is past",
        ],
      ]),
    ]);

/** The scenes of the records of a schema, in a list or one by one. */
export function recordScenes(
  schema: JsonSchema,
  { isList = false, telling = [] }: { readonly isList?: boolean; readonly telling?: readonly string[] },
): readonly TomorrowScene[] {
  return membersOf(schema).flatMap(({ path, schema: within, isOptional, isInOptional }) => {
    const shown = `\`${path || schema.title}\``;
    const size = isAmount(within) ? DIGITS_MAX : within.maxLength;
    // A single read answers with the id that it was asked by.
    const isFree = isList || isOptional || path.includes(".");
    return scenesOf(
      [
        ["new-word", hasWords(within), `a new word in ${shown}`],
        ["new-member", within.properties !== undefined, `a new member in ${shown}`],
        ["absent-member", isOptional && !telling.includes(path), `${shown} is gone`],
        ["longest-amount", isAmount(within), `${shown} has ${size} digits`],
        ["longest-id", within.maxLength !== undefined && isFree, `${shown} has ${size} characters`],
      ],
      { member: path, size, dropsEmpty: isInOptional },
    );
  });
}

/** Whether a text is one of some words: those of a list, or several that are shown where settings or partners have their own. */
const hasWords = ({ enum: words = [], examples = [] }: JsonSchema): boolean =>
  words.length > 0 || examples.length > 1;
const isAmount = ({ type, pattern }: JsonSchema): boolean => type === "number" || pattern === PLAIN.source;

interface Member {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
  /** Whether it is in an object that may itself be absent. */
  readonly isInOptional: boolean;
}

/** A schema, its members, and theirs, outermost first. */
function membersOf(schema: JsonSchema, path = "", isOptional = false, isInOptional = false): Member[] {
  const { items, properties = {}, required = [] } = schema;
  return [
    { path, schema, isOptional, isInOptional },
    ...(items === undefined ? [] : membersOf(items, `${path}[]`)),
    ...Object.entries(properties).flatMap(([name, member]) =>
      membersOf(member, path === "" ? name : `${path}.${name}`, !required.includes(name), isOptional),
    ),
  ];
}

/**
 * The body of an answer in a scene of its members: of one record, or of a list of them. What the scene does not change
 * stays as it is spelled; a body that cannot show the scene stays as it is.
 *
 * @param body JSON as the functions write it.
 */
export function inTomorrow(body: string, scene: TomorrowScene): string {
  if (scene.member === undefined) return body;
  return changedAt(pathIn(body, scene.member), body, scene) ?? body;
}

/** What the paths of members, such as `legs[].amount`, stand for in a body. */
export function textsIn(body: string, members: readonly string[]): Record<string, readonly string[]> {
  const found = Object.fromEntries(members.map((member) => [member, [] as string[]]));
  const wanted = Object.entries(found).map(([member, texts]) => ({ path: pathIn(body, member), texts }));
  collectTexts(body, wanted);
  return found;
}

/** The steps from a body to a member of its record, or of its records. */
const pathIn = (body: string, member: string): readonly string[] =>
  [...(body.startsWith("[") ? ["[]"] : []), ...member.split(/\.|(?=\[])/)].filter(Boolean);

/** The texts that are wanted at a path. */
interface Wanted {
  readonly path: readonly string[];
  readonly texts: string[];
}

/** Cuts a text once for all that are wanted in it, which takes most of the time. */
function collectTexts(text: string, wanted: readonly Wanted[]): void {
  const inner = new Map<string, Wanted[]>();
  for (const { path, texts } of wanted) {
    const [step, ...rest] = path;
    if (step === undefined) texts.push(text);
    else inner.set(step, [...(inner.get(step) ?? []), { path: rest, texts }]);
  }
  const elements = inner.get("[]");
  if (elements !== undefined) for (const element of cutElements(text)) collectTexts(element, elements);
  else if (inner.size > 0)
    for (const [name, value] of cutMembers(text)) collectTexts(value, inner.get(name) ?? []);
}

/** A value with the change made at a path in it; undefined where it is gone. */
function changedAt(
  [step, ...path]: readonly string[],
  text: string,
  scene: TomorrowScene,
): string | undefined {
  if (step === undefined) return changed(text, scene);
  if (step === "[]")
    return `[${cutElements(text)
      .map((element) => changedAt(path, element, scene))
      .join(",")}]`;
  const members = cutMembers(text).flatMap(([name, value]) => {
    const now = name === step ? changedAt(path, value, scene) : value;
    return now === undefined ? [] : [`${JSON.stringify(name)}:${now}`];
  });
  return members.length === 0 && scene.dropsEmpty === true ? undefined : `{${members.join(",")}}`;
}

function changed(value: string, { kind, size = 0 }: TomorrowScene): string | undefined {
  if (kind === "absent-member") return undefined;
  if (kind === "new-word") return value === value.toUpperCase() ? '"ADDED_LATER"' : '"added_later"';
  if (kind === "longest-id") return JSON.stringify(longestId(JSON.parse(value) as string, size));
  if (kind === "longest-amount")
    return value.replace(/(?<=^"?)-?\d+(?:\.\d+)?(?="?$)/, (plain) => longestAmount(plain, size));
  const others = value === "{}" ? "}" : `,${value.slice(1)}`;
  return `{"added_later":{"kind":"unknown","values":[1,null]}${others}`;
}

const FRACTION = "123456789".repeat(5);

function longestAmount(plain: string, digits: number): string {
  const more = FRACTION.slice(0, Math.max(0, digits - plain.replaceAll(/\D/g, "").length));
  return more === "" || plain.includes(".") ? `${plain}${more}` : `${plain}.${more}`;
}

function longestId(id: string, length: number): string {
  const more = length - Array.from(id).length;
  return more < LONGER.length ? id : `${id}${LONGER.padEnd(more, "-")}`;
}
