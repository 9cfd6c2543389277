/** Asks one caller's instance of a limiter. @returns the wait in whole ms; 0 when the request is admitted. */
export type Ask = (owner: string, cost: number) => Promise<number>;
