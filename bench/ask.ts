/** A limiter as one caller's instance holds it. @returns how long to wait, in whole ms; 0 when admitted. */
export type Ask = (owner: string, cost: number) => Promise<number>;
