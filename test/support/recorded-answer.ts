import { policyHeader } from "../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import type { RecordedExample } from "../../publish/reference/recorded-example.ts";
import type { ExampleRequest } from "./example-requests.ts";
import type { TestService } from "./service.ts";

/** Request headers that are secrets or differ at each request, and what stands for them. */
const STAND_INS: Readonly<Record<string, string>> = {
  authorization: "Bearer <access token>",
  "x-api-key": "<API key>",
  "x-svc-api-key": "<API key>",
  "x-svc-timestamp": "1795554000000",
  "x-svc-signature": "<signature>",
};

/** Response headers that the reference shows; others, such as `Date`, are the server's. */
const SHOWN = [
  "Content-Type",
  "Cache-Control",
  "Request-Id",
  "ETag",
  "Vary",
  "Link",
  "Deprecation",
  "Sunset",
  "WWW-Authenticate",
  "RateLimit-Policy",
  "RateLimit",
  "Retry-After",
];

const WAIT_IN = { milliseconds: "210", seconds: "1" } as const;

const REQUEST_ID = "example-1";

/** Sends a request, and makes an example of its answer in which nothing differs from run to run. */
export async function recordAnswer(
  service: TestService,
  { endpoint, name, target, headers, until, broke }: ExampleRequest,
): Promise<RecordedExample> {
  const send = async () => {
    if (broke !== undefined) await service.useUp(broke.limit, broke.owner);
    const response = await service.get(target, { ...headers(), "Request-Id": REQUEST_ID });
    return { response, body: await response.text() };
  };
  // On a busy machine a token may have come back before the request is charged.
  const wanted = broke === undefined ? until : 429;
  const isMeant = ({ status, headers: answered }: Response): boolean =>
    (wanted === undefined || status === wanted) && isOfContract(endpoint, answered);
  let answer = await send();
  while (!isMeant(answer.response)) answer = await send();
  const { response, body } = answer;
  const code = response.ok || body === "" ? undefined : (JSON.parse(body) as { code: never }).code;
  return {
    name: code ?? name,
    ...(code !== undefined && { code }),
    request: { target, headers: withoutSecrets({ ...headers(), "Request-Id": REQUEST_ID }) },
    response: {
      status: response.status,
      headers: {
        ...shownHeaders(response.headers, response.status < 400),
        ...(broke !== undefined && { "Retry-After": WAIT_IN[broke.unit] }),
      },
      body: broke === undefined ? steady(body) : withSteadyWait(steady(body)),
    },
  };
}

/** On a busy machine the limiter's store may be late, and the limit is then another one for a while. */
function isOfContract(endpoint: string, headers: Headers): boolean {
  const policy = headers.get("RateLimit-Policy");
  const limit = endpointReferences.find(({ contract }) => contract.name === endpoint)?.contract.limit;
  if (policy === null || limit === undefined) return true;
  return policy === policyHeader(bucketsOf(limit.defaultBuckets, limit.costMax))["RateLimit-Policy"];
}

const withoutSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, STAND_INS[name.toLowerCase()] ?? value]),
  );

const shownHeaders = (headers: Headers, isOk: boolean): Record<string, string> => {
  const shown = SHOWN.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const { RateLimit, ...steadyHeaders } = Object.fromEntries(shown);
  return {
    ...steadyHeaders,
    // How much has come back meanwhile differs from run to run: the example is that of a first request.
    ...(isOk &&
      RateLimit !== undefined && { RateLimit: afterFirst(steadyHeaders["RateLimit-Policy"] ?? "") }),
  };
};

/** `RateLimit` after a first request of one token. */
const afterFirst = (policy: string): string =>
  policy.replace(/q=(\d+);w=\d+/g, (_, tokens: string) => `r=${Number(tokens) - 1};t=1`);

/** The server's clock for a timestamp that is a minute ahead. */
const MINUTE_AGO = 1_795_553_940_000;

/** A body in which ids and clocks are always the same. */
const steady = (body: string): string =>
  body
    .replace(/"error_id":"[^"]+"/, '"error_id":"0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11"')
    .replace(/"timestamp":\d+/, '"timestamp":1795554000000')
    .replace(
      /\d+ ms ahead of the server's time, \d+(.*"timestamp":)\d+/,
      `60000 ms ahead of the server's time, ${MINUTE_AGO}$1${MINUTE_AGO}`,
    )
    .replace(/"next_cursor":"([^"]{4})[^"]*"/, '"next_cursor":"$1…"');

/** A wait of 210 ms, and how the header says it. */
const withSteadyWait = (body: string): string =>
  body
    .replace(/wait \d+ ms/, `wait ${WAIT_IN.milliseconds} ms`)
    .replace(/"retry_after_ms":\d+/, `"retry_after_ms":${WAIT_IN.milliseconds}`);
