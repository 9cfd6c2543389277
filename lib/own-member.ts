/**
 * An object's own member, by a name that is known only at run time. Plain indexing also finds inherited members: a
 * record whose side is `constructor` must not get a function for it.
 */
export const ownMember = <Value>(
  members: Readonly<Partial<Record<string, Value>>> | undefined,
  name: string,
): Value | undefined => (members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined);
