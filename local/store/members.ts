/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A JSON object's members; undefined for any other value. */
export const membersOf = (value: unknown): Members | undefined => (isMembers(value) ? value : undefined);

/** A JSON array; empty for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
