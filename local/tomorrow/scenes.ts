import { cutElements, cutMembers } from "../../lib/ingest/cut-json.ts";
import { ownMember } from "../../lib/own-member.ts";
import { DIGITS_MAX, PLAIN } from "../../lib/trades/decimal.ts";
import type { EndpointReference } from "../endpoints/endpoint-reference.ts";
import { endpointReferences } from "../endpoints/endpoints.ts";
import { documentSchema, type JsonSchema } from "../endpoints/json-schema.ts";

/** A change that the contracts allow to come, as one answer has it. */
export interface TomorrowScene {
  /** What is new, as a person says it; unique within an endpoint. */
  readonly name: string;
  readonly kind: SceneKind;
  /** The path of the member, or of the object that has a new one, such as `legs[].amount`; "" is the record itself. */
  readonly member?: string;
  /** The characters of a longest id, or the digits of a longest amount. */
  readonly size?: number;
  /** Whether an object that is left empty is gone as well. */
  readonly dropsEmpty?: boolean;
  /** What a client has to do instead, in one sentence. */
  readonly advice: string;
}

/** What a client has to do about each kind. */
const ADVICE = {
  "new-word": "Keep a record with a word that you do not know, and take the word for none of those you know.",
  "new-member": "Ignore members that you do not know.",
  "absent-member": "Read the member as one that may be absent, in every answer.",
  "longest-id": "Keep and compare ids whole, with room for all their characters.",
  "longest-amount": `Read amounts from their text, as decimals of ${DIGITS_MAX} digits; a double keeps 15 to 17.`,
  "empty-page": "Go on until an answer names no next page, however few records a page has.",
  "past-sunset": "Use what the `Link` of the answer names, without the deprecated parameter.",
} as const;

type SceneKind = keyof typeof ADVICE;

const sceneOf = (
  kind: SceneKind,
  name: string,
  where: Pick<TomorrowScene, "member" | "size" | "dropsEmpty"> = {},
): TomorrowScene => ({ name, kind, ...where, advice: ADVICE[kind] });

/**
 * What the contracts allow to come in the answers of an endpoint, by its name. All of it follows from the schema of the
 * record that it answers with, and from its parameters. A closed word or a constant is none of the schema's lists of words.
 */
export const tomorrowScenes = (endpointName: string): readonly TomorrowScene[] =>
  endpointReferences
    .filter(({ contract }) => contract.name === endpointName)
    .flatMap((reference) => {
      const { record, isList = false } = reference.success;
      const schema = documentSchema(record.shape, { ...record, isClosed: false });
      return [...recordScenes(schema, { ...record, isList }), ...endpointScenes(reference)];
    });

function endpointScenes({ parameters }: EndpointReference): readonly TomorrowScene[] {
  const isPaged = ownMember(parameters, "cursor") !== undefined;
  const isDeprecated = Object.values(parameters).some(({ deprecated }) => deprecated === true);
  return [
    ...(isPaged ? [sceneOf("empty-page", "an empty page with a next one")] : []),
    ...(isDeprecated ? [sceneOf("past-sunset", "the `Sunset` is past")] : []),
  ];
}

/** The scenes of the records of a schema, in a list or one by one. */
export function recordScenes(
  schema: JsonSchema,
  { isList = false, telling = [] }: { readonly isList?: boolean; readonly telling?: readonly string[] },
): readonly TomorrowScene[] {
  return membersOf(schema).flatMap((member) => {
    const { path, schema: within, isOptional, isInOptional: dropsEmpty } = member;
    const at = `\`${path}\``;
    // A single read answers with the id that it was asked by.
    const isFree = isList || isOptional || path.includes(".");
    const size = isAmount(within) ? DIGITS_MAX : within.maxLength;
    return [
      ...(hasWords(within) ? [sceneOf("new-word", `a new word in ${at}`, { member: path })] : []),
      ...(within.properties === undefined
        ? []
        : [
            sceneOf("new-member", `a new member in ${path === "" ? `\`${schema.title}\`` : at}`, {
              member: path,
            }),
          ]),
      ...(isOptional && !telling.includes(path)
        ? [sceneOf("absent-member", `${at} is gone`, { member: path, dropsEmpty })]
        : []),
      ...(size === undefined
        ? []
        : isAmount(within)
          ? [sceneOf("longest-amount", `${at} has ${size} digits`, { member: path, size })]
          : isFree
            ? [sceneOf("longest-id", `${at} has ${size} characters`, { member: path, size })]
            : []),
    ];
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

/** The text of a value in a scene; undefined where it is gone. */
type Change = (value: string) => string | undefined;

/**
 * The body of an answer in a scene: of one record, or of a list of them. What the scene does not change stays as it is
 * spelled; a body that cannot show the scene stays as it is.
 *
 * @param body JSON as the functions write it.
 */
export function inTomorrow(body: string, scene: TomorrowScene): string {
  const { kind, member, dropsEmpty } = scene;
  if (kind === "past-sunset") return body;
  if (kind === "empty-page") return withoutRecords(body);
  const path = [...(body.startsWith("[") ? ["[]"] : []), ...(member ?? "").split(/\.|(?=\[])/)];
  return edited(body, path.filter(Boolean), changes[kind](scene), dropsEmpty) ?? body;
}

/** An empty list in place of a list, or of the first one of a page. */
function withoutRecords(body: string): string {
  if (body.startsWith("[")) return "[]";
  const list = cutMembers(body).find(([, value]) => value.startsWith("["));
  return list === undefined ? body : (edited(body, [list[0]], () => "[]") ?? body);
}

/** A value with the change made at a path in it. */
function edited(
  text: string,
  [step, ...path]: readonly string[],
  change: Change,
  dropsEmpty = false,
): string | undefined {
  if (step === undefined) return change(text);
  const within: Change = (value) => edited(value, path, change, dropsEmpty);
  if (step === "[]") return `[${cutElements(text).map(within).join(",")}]`;
  const members = cutMembers(text).flatMap(([name, value]) => {
    const now = name === step ? within(value) : value;
    return now === undefined ? [] : [`${JSON.stringify(name)}:${now}`];
  });
  return members.length === 0 && dropsEmpty ? undefined : `{${members.join(",")}}`;
}

const changes = {
  "new-word": () => (value) => (value === value.toUpperCase() ? '"ADDED_LATER"' : '"added_later"'),
  "new-member": () => (object) =>
    `{"added_later":{"kind":"unknown","values":[1,null]}${object === "{}" ? "" : ","}${object.slice(1)}`,
  "absent-member": () => () => undefined,
  "longest-id":
    ({ size = 0 }) =>
    (value) =>
      JSON.stringify(longestId(JSON.parse(value) as string, size)),
  "longest-amount":
    ({ size = 0 }) =>
    (value) =>
      value.replace(/(?<=^"?)-?\d+(?:\.\d+)?(?="?$)/, (plain) => longestAmount(plain, size)),
} as const satisfies Partial<Record<TomorrowScene["kind"], (scene: TomorrowScene) => Change>>;

const FRACTION = "123456789".repeat(5);

function longestAmount(plain: string, digits: number): string {
  const more = FRACTION.slice(0, Math.max(0, digits - plain.replaceAll(/\D/g, "").length));
  return more === "" || plain.includes(".") ? `${plain}${more}` : `${plain}.${more}`;
}

/** What makes an id longer, in characters that no URL encodes; hyphens follow. */
export const LONGER = "-of-tomorrow";

function longestId(id: string, length: number): string {
  const more = length - Array.from(id).length;
  return more < LONGER.length ? id : `${id}${LONGER.padEnd(more, "-")}`;
}
