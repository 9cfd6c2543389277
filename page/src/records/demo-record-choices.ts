import type { PageCredentials } from "../../../local/page/page-questions.ts";

/** The records of the demo to choose from: an id or a reference, and what it is. */
export const demoRecordChoices = ({
  ramp,
  business,
  passes,
}: PageCredentials): readonly (readonly [id: string, title: string])[] => [
  ...titled("sell order", ramp.orders),
  ...titled("transaction", business.states),
  ...titled("pass", passes.references),
  [passes.voidReference, "pass · voided"],
];

const titled = (
  kind: string,
  ids: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] =>
  Object.entries(ids).map(([name, id]) => [id, `${kind} · ${name.replaceAll("_", " ")}`]);
