/** A name of a parameter or header that is short and plain. A longer one may be a credential in the wrong place. */
const SHOWABLE = /^[A-Za-z0-9_.[\]-]{1,32}$/;

/** A caller's name, quoted for a hint; undefined for one that a hint must not repeat. */
export const shownName = (name: string): string | undefined =>
  SHOWABLE.test(name) ? `"${name}"` : undefined;
