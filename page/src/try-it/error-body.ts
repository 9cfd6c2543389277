/** The members of an error's body that an explanation uses. The gateway's own errors have a message alone. */
export interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  /** When the server answered, in epoch milliseconds. */
  readonly timestamp?: number;
}

/** Reads the body of a refusal; an empty one for a text of any other form. */
export function errorBodyOf(text: string): ErrorBody {
  try {
    const { code, message, timestamp } = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof code === "string" && { code }),
      ...(typeof message === "string" && { message }),
      ...(typeof timestamp === "number" && { timestamp }),
    };
  } catch {
    return {};
  }
}
