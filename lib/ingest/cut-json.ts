const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const STRUCTURE = new RegExp(`${STRING}|[{}[\\],]`, "g");
const NAME = new RegExp(`^(${STRING})\\s*:\\s*`);

/**
 * The texts between the commas of an array or object, trimmed and otherwise as they are spelled; none for an empty one.
 *
 * @param text valid JSON.
 */
function cutParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(STRUCTURE)) {
    const isOpening = token === "{" || token === "[";
    const isClosing = token === "}" || token === "]";
    if (isOpening) depth += 1;
    if (depth === 1 && (token === "," || isClosing)) parts.push(text.slice(from, index).trim());
    if (isClosing) depth -= 1;
    if (depth === 1 && (token === "," || isOpening)) from = index + 1;
  }
  return parts.length === 1 && parts[0] === "" ? [] : parts;
}

/**
 * The elements of an array, as they are spelled: nothing is parsed and printed again, so every digit stays.
 *
 * @param text valid JSON, an array.
 *
 * @example
 * cutElements('[ {"p": 1.50}, [1, 2] ]') // → ['{"p": 1.50}', "[1, 2]"]
 */
export const cutElements = (text: string): string[] => cutParts(text);

/**
 * The members of an object: each name with its value as it is spelled. A name that is given twice comes twice.
 *
 * @param text valid JSON, an object.
 *
 * @example
 * cutMembers('{ "kind": "pass", "record": {"a": 1.0} }') // → [["kind", '"pass"'], ["record", '{"a": 1.0}']]
 */
export const cutMembers = (text: string): (readonly [name: string, value: string])[] =>
  cutParts(text).map((part) => {
    const [start = "", name = '""'] = NAME.exec(part) ?? [];
    return [JSON.parse(name) as string, part.slice(start.length)];
  });
