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
  // A text that is put together piece by piece is copied whenever its bytes are asked for: ask once.
  const plain = encoding === undefined ? Buffer.alloc(0) : Buffer.from(body);
  if (encoding === undefined || plain.length <= SMALLEST_WORTH_BYTES) {
    return { body, isBase64Encoded: false, headers: { Vary: "Accept-Encoding" } };
  }
  const bytes = encoding === "br" ? brotli(plain) : gzipSync(plain);
  return {
    body: bytes.toString("base64"),
    isBase64Encoded: true,
    headers: { Vary: "Accept-Encoding", "Content-Encoding": encoding },
  };
}

/** A window of 256 KB: at this quality a larger one finds nothing more in such texts, and costs its memory. */
const WINDOW_BITS = 18;

/** Quality 1 takes less than a millisecond for a page of trades; a higher one buys a few per cent for tens of them. */
const brotli = (plain: Buffer): Buffer =>
  brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    },
  });
