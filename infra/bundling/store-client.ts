import { HttpRequest, type HttpResponse } from "@smithy/core/protocols";
import { retryMiddleware, StandardRetryStrategy } from "@smithy/core/retry";
import { SignatureV4 } from "@smithy/signature-v4";
import type { HttpHandlerOptions, MetadataBearer, RequestHandler } from "@smithy/types";
import { metadataOf } from "../../lib/dynamo/whole-answers.ts";
import { environmentCredentials } from "./environment-credentials.ts";
import { placeOf, traceHeaders } from "./environment-place.ts";
import { Sha256 } from "./sha256.ts";
import { documentIn, failureIn, writeQuestion } from "./wire-document.ts";

/**
 * Stands in a function's bundle for the SDK's client of DynamoDB, which builds each call from a schema of the service and
 * sends it through thirty layers: half of the bundle, and a quarter of a cold start. Here a call is four steps: write the
 * question as JSON, sign it, send it, read the answer. To sign, to send and to repeat are the SDK's own parts, so times,
 * retries and signatures are the SDK's. Functions import what is exported here by the SDK's names.
 */
export { ConditionalCheckFailedException, DynamoDBServiceException } from "./wire-document.ts";

/** Of a bundle, which is defined when it is built. */
declare const USER_AGENT: string;
const userAgent = typeof USER_AGENT === "undefined" ? "countinghouse" : USER_AGENT;

/** A call to DynamoDB: the name of its operation, and the question that is sent as it is. */
abstract class Command {
  abstract readonly operation: string;
  readonly input: object;

  constructor(input: object) {
    this.input = input;
  }
}

export class BatchGetItemCommand extends Command {
  readonly operation = "BatchGetItem";
}

export class BatchWriteItemCommand extends Command {
  readonly operation = "BatchWriteItem";
}

export class DeleteItemCommand extends Command {
  readonly operation = "DeleteItem";
}

export class GetItemCommand extends Command {
  readonly operation = "GetItem";
}

export class PutItemCommand extends Command {
  readonly operation = "PutItem";
}

export class QueryCommand extends Command {
  readonly operation = "Query";
}

export class ScanCommand extends Command {
  readonly operation = "Scan";
}

export class UpdateItemCommand extends Command {
  readonly operation = "UpdateItem";
}

/** The settings of the SDK's client that functions use. */
interface Settings {
  readonly maxAttempts: number;
  /** A handler whose answers have their bodies as bytes. */
  readonly requestHandler: Handler;
}

type Handler = RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions>;
type Options = Pick<HttpHandlerOptions, "abortSignal">;

/** The longest pause before a second attempt, as the SDK has it for DynamoDB; a throttled request waits for longer. */
const PAUSE_MS = 25;

/** Asks DynamoDB as the environment says: its region, endpoint and credentials. */
export class DynamoDBClient {
  /** What else needs to sign a request of this function. */
  readonly config: Pick<ConstructorParameters<typeof SignatureV4>[0], "region" | "credentials" | "sha256">;
  readonly #endpoint: URL;
  readonly #signer: SignatureV4;
  readonly #handler: Handler;
  readonly #repeated: ReturnType<typeof retryMiddleware>;

  /** @throws {Error} when the environment names no region, or no endpoint that there is. */
  constructor({ maxAttempts, requestHandler }: Settings) {
    const { region, endpoint } = placeOf();
    this.config = { region, credentials: environmentCredentials(), sha256: Sha256 };
    this.#endpoint = endpoint;
    this.#signer = new SignatureV4({ service: "dynamodb", ...this.config });
    this.#handler = requestHandler;
    // After some 17 failed calls in a row its budget is used up: until calls succeed, each is made once.
    const strategy = new StandardRetryStrategy({ maxAttempts, baseDelay: PAUSE_MS });
    this.#repeated = retryMiddleware({
      maxAttempts: async () => maxAttempts,
      retryStrategy: async () => strategy,
    });
  }

  /**
   * The answer to a call, once an attempt has one.
   *
   * @throws {DynamoDBServiceException} what DynamoDB refuses. Any other error says that no answer came.
   */
  async send({ operation, input }: Command, options: Options = {}): Promise<object> {
    const request = this.#requestOf(operation, writeQuestion(input));
    const attempt = async (args: { readonly request: unknown }) => {
      const signed = await this.#signer.sign(args.request as HttpRequest);
      const { response } = await this.#handler.handle(signed as HttpRequest, options);
      return { response, output: answerIn(response) };
    };
    // The SDK looks for the signal under this name, to end the pauses between attempts too.
    const context = { __smithy_context: options };
    const { output } = await this.#repeated(attempt, context)({ request, input });
    return output;
  }

  #requestOf(operation: string, body: string): HttpRequest {
    const { protocol, hostname, port, pathname, host } = this.#endpoint;
    return new HttpRequest({
      method: "POST",
      protocol,
      hostname,
      ...(port !== "" && { port: Number(port) }),
      path: pathname,
      headers: {
        host,
        "content-type": "application/x-amz-json-1.0",
        "content-length": String(Buffer.byteLength(body)),
        "user-agent": userAgent,
        "x-amz-target": `DynamoDB_20120810.${operation}`,
        ...traceHeaders(),
      },
      body,
    });
  }
}

/** What an answer says, with the member that the SDK's repetition writes its own account into. */
function answerIn(response: HttpResponse): MetadataBearer {
  const text = (response.body as Buffer).toString();
  const $metadata = metadataOf(response);
  try {
    if (response.statusCode >= 300) throw failureIn(response, text);
    return { ...documentIn(text), $metadata };
  } catch (error) {
    // The SDK repeats a call by the status of its answer, whatever else is wrong with that.
    throw Object.assign(error as Error, { $response: response, $metadata });
  }
}
