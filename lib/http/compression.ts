import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Below this many bytes the headers of a compressed answer cost more than it saves. */
const SMALLEST_WORTH_BYTES = 1024;

export type Encoding = "br" | "gzip";

/**
 * The coding that an `Accept-Encoding` header weighs highest, brotli where it does not prefer one (RFC 9110 12.5.3). A
 * weight of 0 forbids a coding; a coding that is not named falls under `*`.
 */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const weights = new Map((header ?? "").split(",").map(readWeight));
  const weightOf = (coding: Encoding): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const [br, gzip] = [weightOf("br"), weightOf("gzip")];
  if (br > 0 && !(gzip > br)) return "br";
  return gzip > 0 ? "gzip" : undefined;
}

/** One entry of the header: a coding and its weight, 1 where none is given. */
function readWeight(entry: string): readonly [coding: string, weight: number] {
  const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
}

export interface EncodedBody {
  readonly body: string;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body as it goes to the gateway: compressed, and then base64, where it is worth it and the caller allows it. */
export function encodeBody(body: string, acceptEncoding: string | undefined): EncodedBody {
  const encoding = acceptedEncoding(acceptEncoding);
  if (encoding === undefined || Buffer.byteLength(body) <= SMALLEST_WORTH_BYTES) {
    return { body, isBase64Encoded: false, headers: { Vary: "Accept-Encoding" } };
  }
  const bytes = encoding === "br" ? brotli(body) : gzipSync(body);
  return {
    body: bytes.toString("base64"),
    isBase64Encoded: true,
    headers: { Vary: "Accept-Encoding", "Content-Encoding": encoding },
  };
}

/** Quality 1 takes a millisecond for a page of trades; a higher one buys a few per cent for tens of them. */
const brotli = (body: string): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
