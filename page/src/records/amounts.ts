/** An amount of a record, with the digits that were sent. */
export interface NamedAmount {
  /** The members that lead to it, such as `fees ramp_fee`. */
  readonly name: string;
  readonly amount: string;
  readonly currency: string;
}

/** Every amount of a record that stands beside its currency, in the record's order. Numbers are given as text. */
export function amountsIn(value: unknown, path: readonly string[] = []): readonly NamedAmount[] {
  if (typeof value !== "object" || value === null) return [];
  const { amount, currency, currencyId } = value as Readonly<Record<string, unknown>>;
  const unit = currency ?? currencyId;
  const own =
    typeof amount === "string" && typeof unit === "string"
      ? [{ name: path.join(" "), amount, currency: unit }]
      : [];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    amountsIn(member, [...path, Array.isArray(value) ? String(Number(name) + 1) : name]),
  );
  return [...own, ...inside];
}
