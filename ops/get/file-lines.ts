import { createReadStream } from "node:fs";

/**
 * The lines of a file that end with LF, without it. Other line ends, such as U+2028 within a JSON string, end no line
 * here; `readline` of Node.js takes them for one.
 */
export async function* fileLines(path: string): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
