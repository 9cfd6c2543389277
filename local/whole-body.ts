import type { IncomingMessage } from "node:http";

/** The whole body of a request; undefined when it is too large: the rest is then read and dropped. */
export async function wholeBody(message: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bytesMax) chunks.push(chunk);
  }
  return size > bytesMax ? undefined : Buffer.concat(chunks, size);
}
