import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

/** Below this many bytes the headers of a compressed answer cost more than it saves. */
const SMALLEST_WORTH_BYTES = 1024;

/** A window of 256 KB: at this quality a larger one finds nothing more in such texts, and costs its memory. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };
const ZSTD = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * The codings that are offered, the one first that takes least. Each is at its lowest level: a page of trades takes less
 * than a millisecond, and a higher one buys a few per cent for tens of them.
 */
const encoders = {
  zstd: (plain: Buffer) => zstdCompressSync(plain, { params: ZSTD }),
  br: (plain: Buffer) => brotliCompressSync(plain, { params: BROTLI }),
  gzip: (plain: Buffer) => gzipSync(plain),
} as const;

type Encoding = keyof typeof encoders;

const codings = Object.keys(encoders) as Encoding[];

/**
 * The coding that an `Accept-Encoding` header weighs highest, in our own order where it weighs them alike (RFC 9110
 * 12.5.3). A weight of 0 forbids a coding; a coding that is not named falls under `*`.
 *
 * @returns undefined for none, which is also what a header asks for that weighs `identity` higher.
 */
function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const weights = new Map((header ?? "").split(",").map(readWeight));
  const weightOf = (coding: Encoding): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best = "gzip"] = codings.toSorted((a, b) => weightOf(b) - weightOf(a));
  return weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0) ? best : undefined;
}

/** One entry of the header: a coding and its weight, 1 where none is given, and 0 where it is no number. */
function readWeight(entry: string): readonly [coding: string, weight: number] {
  const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
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
  return {
    body: encoders[encoding](plain).toString("base64"),
    isBase64Encoded: true,
    headers: { Vary: "Accept-Encoding", "Content-Encoding": encoding },
  };
}
