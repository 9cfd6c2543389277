import { OperatorError } from "../../local/process/operator-error.ts";

/**
 * Turns a parser that throws RangeError into one whose errors do not repeat what was given, as commander's own do: it may
 * be a key that was pasted by mistake, or act on the terminal.
 *
 * @param name the argument or option in the message.
 */
export function unquoted<Value>(name: string, parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof RangeError) throw new OperatorError(`${name}: ${error.message}`, error);
      throw error;
    }
  };
}
