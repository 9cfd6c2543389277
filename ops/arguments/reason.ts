const LENGTH_MAX = 200;

/** What `isReason` asks for, in words. */
export const REASON_RULE = `one line of 1 to ${LENGTH_MAX} characters`;

/** Whether a text can be an operator's reason. Control characters would let it rewrite the terminal of whoever reads it. */
export const isReason = (text: string): boolean =>
  text.trim() !== "" && text.length <= LENGTH_MAX && !/\p{Cc}/u.test(text);
