/** A whole number from 1 to 999,999. @throws {RangeError} with a message for the operator. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new RangeError("Give a whole number from 1 to 999999.");
  return Number(text);
}

/** A parser of whole numbers. It throws a RangeError with a message for the operator. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new RangeError(`It must be a number from ${min} to ${max}.`);
  };
