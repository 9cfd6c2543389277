/**
 * A member that an object has itself, by a name that is only known at run time. Plain indexing would find what every
 * object inherits as well: a record that calls its side `constructor` must not get a function for it.
 */
export const ownMember = <Value>(
  members: Readonly<Partial<Record<string, Value>>> | undefined,
  name: string,
): Value | undefined => (members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined);
