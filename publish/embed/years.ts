/** Certificates are valid from 2000 to 2100, and the oldest records lie some months back. */
export const FIRST_MS = Date.UTC(2001, 0);
export const LAST_MS = Date.UTC(2099, 0);
/** The years in which a world may be, in words. */
export const YEARS = "from 2001 to 2098";
