/** A parser of whole numbers. It throws a RangeError with a message for the operator. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const number = /^(?:0|[1-9]\d{0,11})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new RangeError(`It must be a whole number from ${min} to ${max}.`);
  };

/** A whole number from 1 to 999,999. */
export const parseCount = wholeNumber(1, 999_999);
