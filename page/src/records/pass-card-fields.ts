import { isMembers, type Members } from "../../../lib/json-value.ts";

/** A field of a pass's card, with numbers as they were sent. */
export interface CardField {
  readonly label: string;
  readonly value: string;
}

/** What a pass's card shows. */
export interface PassCardContent {
  /** The type in words, such as `boarding pass`. */
  readonly type: string;
  readonly reference: string;
  readonly version: string;
  readonly fields: readonly CardField[];
  readonly actions: readonly CardField[];
  readonly triggers: readonly string[];
}

const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A member's name in words. */
const wordsOf = (name: string): string => name.replaceAll("_", " ");

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The card of a pass, from its body with every number as text. */
export function passCardOf(body: unknown): PassCardContent {
  const {
    type,
    partner_reference: reference,
    version,
    semantics,
    relevant_at: relevantAt,
    ...rest
  } = membersOf(body);
  const fields = Object.entries({
    ...membersOf(semantics),
    ...(relevantAt !== undefined && { relevant_at: relevantAt }),
  });
  return {
    type: wordsOf(textOf(type ?? "pass")),
    reference: textOf(reference ?? ""),
    version: textOf(version ?? ""),
    fields: fields.map(([name, value]) => ({ label: wordsOf(name), value: textOf(value) })),
    actions: listOf(rest.actions).map((action) => {
      const { label, url, kind } = membersOf(action);
      return { label: textOf(label ?? kind ?? "action"), value: textOf(url ?? "") };
    }),
    triggers: listOf(rest.triggers).map(triggerText),
  };
}

/** A trigger by its kind, with what it needs: `location: latitude 55.9503, longitude -3.1883`. */
function triggerText(trigger: unknown): string {
  const { kind, ...needs } = membersOf(trigger);
  const texts = Object.entries(needs).map(([name, value]) => `${wordsOf(name)} ${textOf(value)}`);
  return `${textOf(kind ?? "trigger")}: ${texts.join(", ")}`;
}
