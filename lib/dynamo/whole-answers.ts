import type { Readable } from "node:stream";
import { Crc32Js } from "@smithy/core/checksum";
import type { HttpRequest, HttpResponse } from "@smithy/core/protocols";
import { NodeHttpHandler, type NodeHttpHandlerOptions } from "@smithy/node-http-handler";
import type { HttpHandlerOptions } from "@smithy/types";
import { LoggableError } from "../errors.ts";

/** An answer's account: the SDK decides about a repetition by the status, and AWS Support finds the request by its id. */
export interface Metadata {
  readonly httpStatusCode: number;
  readonly requestId?: string;
}

export function metadataOf({ statusCode, headers }: HttpResponse): Metadata {
  const requestId = headers["x-amzn-requestid"];
  return { httpStatusCode: statusCode, ...(requestId !== undefined && { requestId }) };
}

/** An answer that is not as DynamoDB has sent it. Whether the call took effect is not known. */
class UnusableAnswer extends LoggableError {
  override readonly name = "UnusableAnswer";
  readonly $response: HttpResponse;
  readonly $metadata: Metadata;

  constructor(response: HttpResponse, message: string) {
    super(message);
    this.$response = response;
    this.$metadata = metadataOf(response);
  }
}

/**
 * No answer to what functions ask is larger: DynamoDB reads 1 MB for one call. What JSON adds is little where the attributes
 * are long texts and Base64, as ours are; a control character becomes six bytes.
 */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The SDK's handler of requests, which reads each answer as a whole: the SDK's own collector takes answers of any length, and
 * leaves their checksums unread. What is wrong here is an error of the attempt, which the SDK's repetition sees.
 */
export class WholeAnswers extends NodeHttpHandler {
  readonly #bytesMax: number;

  constructor(options: NodeHttpHandlerOptions, bytesMax = ANSWER_BYTES_MAX) {
    super(options);
    this.#bytesMax = bytesMax;
  }

  /** @throws {UnusableAnswer} for an answer that is too long, or that its checksum does not fit: that is to be asked for again. */
  override async handle(request: HttpRequest, options?: HttpHandlerOptions) {
    const { response } = await super.handle(request, options);
    const bytes = await bytesOf(response, this.#bytesMax);
    requireWhole(response, bytes);
    response.body = bytes;
    return { response };
  }
}

/** Reads a stream by its events: the SDK's collector would load the streams of the web for it. */
const bytesOf = (response: HttpResponse, bytesMax: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const stream = response.body as Readable;
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > bytesMax) stream.destroy(new UnusableAnswer(response, "too long"));
    });
    stream.on("end", () => resolve(Buffer.concat(chunks)));
    stream.on("error", reject);
  });

/** DynamoDB gives the checksum of what it has sent, which the SDK for JavaScript, unlike others, leaves unread. */
function requireWhole(response: HttpResponse, bytes: Buffer): void {
  const given = response.headers["x-amz-crc32"];
  if (given === undefined || checksumOf(bytes) === Number(given)) return;
  // The SDK repeats a call after any error that has this member.
  throw Object.assign(new UnusableAnswer(response, "not what its checksum says"), { $retryable: {} });
}

/** Up to this size, a checksum in JavaScript takes less than a tenth of a millisecond. */
const SMALL_BYTES_MAX = 16 * 1024;

/** Node.js's checksum is 20 times as quick, and to load it takes 2 ms of a cold start. */
function checksumOf(bytes: Buffer): number {
  if (bytes.length > SMALL_BYTES_MAX) return process.getBuiltinModule("node:zlib").crc32(bytes);
  const sum = new Crc32Js();
  sum.update(bytes);
  return sum.digestSync();
}
