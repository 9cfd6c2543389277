import type { PageCredentials } from "../../../local/page/page-questions.ts";

/** The records of the demo to choose from: an id or a reference, and what it is; several of one title have their ids. */
export function demoRecordChoices(
  { ramp, business, passes }: PageCredentials,
  /** The present states, by id; a record has the one that it began with until its own is known. */
  states: ReadonlyMap<string, string>,
): readonly (readonly [id: string, title: string])[] {
  const all = [
    ...titled(ramp.orders, (name, id) => `sell order · ${states.get(id) ?? name}`),
    ...titled(business.states, (name, id) => `transaction · ${states.get(id) ?? name}`),
    ...titled(passes.references, (name, id) => `pass · ${name}${states.get(id) === "void" ? " · void" : ""}`),
    [passes.voidReference, "pass · voided"] as const,
  ];
  const isShared = (title: string): boolean => all.filter(([, other]) => other === title).length > 1;
  return all.map(([id, title]) => [id, isShared(title) ? `${title} · ${id.slice(0, 8)}…` : title]);
}

const titled = (
  ids: Readonly<Record<string, string>>,
  titleOf: (name: string, id: string) => string,
): readonly (readonly [string, string])[] =>
  Object.entries(ids).map(([name, id]) => [id, titleOf(name, id).replaceAll("_", " ")]);
