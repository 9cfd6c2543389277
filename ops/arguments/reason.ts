const LENGTH_MAX = 200;

/** The rule of `isReason`, in words. */
export const REASON_RULE = `one line of 1 to ${LENGTH_MAX} characters`;

/** Whether a text can be an operator's reason. Control characters cannot: they could rewrite a reader's terminal. */
export const isReason = (text: string): boolean =>
  text.trim() !== "" && text.length <= LENGTH_MAX && !/\p{Cc}/u.test(text);
