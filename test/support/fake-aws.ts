import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { startEngine } from "./engine.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** A call of a service of AWS, as its own client sent it. */
interface AwsCall {
  /** `<service>:<operation>`, such as `cloudwatch:DescribeAlarms`; of a REST service, `<service>:<method> <path>`. */
  readonly name: string;
  /** The members of a JSON body, or the fields of a form. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** An answer of a service: a JSON body, an XML body as text, or an error by its name. */
type AwsAnswer = object | string | AwsRefusal;

/** An error of a service. */
export class AwsRefusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;

  constructor(code: string, message = code, status = 400) {
    this.code = code;
    this.message = message;
    this.status = status;
  }
}

/** A refusal for a missing permission, in AWS's words. */
export const denied = (action: string): AwsRefusal =>
  new AwsRefusal(
    "AccessDeniedException",
    `User: arn:aws:iam::111122223333:user/kim is not authorized to perform: ${action} because no identity-based policy allows the ${action} action`,
    403,
  );

export interface FakeAws {
  readonly endpoint: string;
  /** What each call is answered, by its name; a call that is not here is refused for a missing permission. */
  readonly answers: Map<string, (input: AwsCall["input"]) => AwsAnswer>;
  readonly calls: readonly AwsCall[];
  /** The `Date` header of the answers; the machine's own time when undefined. */
  date: Date | undefined;
  close(): Promise<void>;
}

/**
 * Stands in for services of AWS behind one address, for their real clients with `AWS_ENDPOINT_URL`. Calls of DynamoDB
 * without an answer of their own go to an engine.
 */
async function startFakeAws(engineEndpoint: string): Promise<FakeAws> {
  const answers: FakeAws["answers"] = new Map();
  const calls: AwsCall[] = [];
  const fake = { date: undefined as Date | undefined };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const call = callOf(request, body);
    calls.push(call);
    if (fake.date !== undefined) response.setHeader("date", fake.date.toUTCString());
    const answer = answers.get(call.name)?.(call.input);
    if (answer === undefined && call.name.startsWith("dynamodb:")) {
      const passed = await fetch(engineEndpoint, { method: "POST", headers: headersOf(request), body });
      response.writeHead(passed.status, { "content-type": "application/x-amz-json-1.0" });
      response.end(await passed.text());
      return;
    }
    const { status, type, sent } = wireOf(answer ?? denied(call.name), request);
    response.writeHead(status, { "content-type": type });
    response.end(sent);
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listenOnLoopback(server);
  return Object.assign(fake, {
    endpoint: `http://127.0.0.1:${port}`,
    answers,
    calls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  authorization: headers.authorization ?? "",
  "content-type": headers["content-type"] ?? "",
  "x-amz-target": String(headers["x-amz-target"] ?? ""),
  "x-amz-date": String(headers["x-amz-date"] ?? ""),
});

/** Which service a request is for stands in the scope of its signature. */
const serviceOf = ({ headers }: IncomingMessage): string =>
  /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? "")?.[1] ?? "";

function callOf(request: IncomingMessage, body: string): AwsCall {
  const service = serviceOf(request).replace("monitoring", "cloudwatch");
  const target = request.headers["x-amz-target"];
  if (typeof target === "string")
    return { name: `${service}:${target.split(".").at(-1)}`, input: JSON.parse(body) };
  const form = Object.fromEntries(new URLSearchParams(body));
  if (form.Action !== undefined) return { name: `${service}:${form.Action}`, input: form };
  return { name: `${service}:${request.method} ${request.url}`, input: {} };
}

const JSON_TYPE = "application/x-amz-json-1.0";

function wireOf(answer: AwsAnswer, request: IncomingMessage) {
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (!(answer instanceof AwsRefusal)) {
    const sent = typeof answer === "string" ? answer : JSON.stringify(answer);
    return { status: 200, type: typeof answer === "string" ? "text/xml" : JSON_TYPE, sent };
  }
  const { code, message, status } = answer;
  if (isForm) {
    const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
    return {
      status,
      type: "text/xml",
      sent: `<ErrorResponse>${error}<RequestId>1</RequestId></ErrorResponse>`,
    };
  }
  return { status, type: JSON_TYPE, sent: JSON.stringify({ __type: code, message, Message: message }) };
}

/** The services, over an engine of their own, which the environment's clients find until they are closed. */
export async function startFakeStage(): Promise<FakeAws> {
  const engine = await startEngine("dynalite");
  const aws = await startFakeAws(engine.endpoint);
  vi.stubEnv("AWS_ENDPOINT_URL", aws.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
  const closeServices = aws.close.bind(aws);
  const close = async (): Promise<void> => {
    vi.unstubAllEnvs();
    await closeServices();
    await engine.close();
  };
  return Object.assign(aws, { close });
}
