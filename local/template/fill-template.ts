import type { Brand } from "../../lib/brand.ts";
import type { LocalSettings } from "./local-stage.ts";
import { placeholders } from "./placeholders.ts";

/** The part of an API's properties that a stage without origins lacks. */
const CORS_PROPERTY = "CorsConfiguration";

/**
 * A value of the template that was synthesized with the placeholders, with the settings of a start in their place: what
 * the CDK app makes of these settings. Only digests in the ids of versions differ, which the local service does not read.
 */
export function fillTemplate<Value>(value: Value, settings: LocalSettings): Value {
  const fill = (inner: unknown): unknown => {
    if (typeof inner === "string") return filledText(inner, settings.brand);
    if (Array.isArray(inner))
      return inner.flatMap((item): readonly unknown[] => itemsFor(item, settings) ?? [fill(item)]);
    if (typeof inner !== "object" || inner === null) return inner;
    const kept = Object.entries(inner).filter(
      ([name]) => name !== CORS_PROPERTY || settings.corsOrigins.length > 0,
    );
    return Object.fromEntries(kept.map(([name, member]) => [name, fill(member)]));
  };
  return fill(value) as Value;
}

/** The origins that stand for the placeholder's in a list. */
const itemsFor = (item: unknown, { corsOrigins }: LocalSettings): readonly string[] | undefined =>
  placeholders.corsOrigins.some((origin) => origin === item) ? corsOrigins : undefined;

const members = Object.entries(placeholders.brand) as [keyof Brand, string][];
const anyWord = new RegExp(members.map(([, word]) => word).join("|"), "g");
const memberOf: ReadonlyMap<string, keyof Brand> = new Map(members.map(([name, word]) => [word, name]));

/** All in one pass, so that no setting is read again for a placeholder. */
const filledText = (text: string, brand: Brand): string =>
  text.replace(anyWord, (word) => {
    const name = memberOf.get(word);
    return name === undefined ? word : brand[name];
  });
