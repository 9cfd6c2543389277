/** A member of the event that an HTTP API sends to a function, in payload format 2.0. */
export interface EventMember {
  /** The member's names from the top of the event, with dots between them. */
  readonly path: string;
  /** When an event has the member: always, with some kind of request, or never here. */
  readonly present: "always" | "never here" | `with ${string}`;
  /** The form of its value as JSON. */
  readonly form: RegExp;
  /** The page or the event that shows the member and its form. */
  readonly source: string;
}

/** "Create AWS Lambda proxy integrations for HTTP APIs", payload format structure 2.0. */
const GUIDE = "API Gateway developer guide, payload format structure 2.0";
/** The event of a live HTTP API, published with github.com/hotsock/voker (vokerhttp/testdata/apigwv2-request.json). */
const CAPTURE = "an event of a live HTTP API, published with hotsock/voker";

const TEXT = /^".*"$/;
const TEXTS_BY_NAME = /^\{("[^"]+":"[^"]*",?)+\}$/;

/**
 * Every documented or seen member. The members of authorizers and of stage variables are listed only as a whole, as
 * never present, because no route here has an authorizer and no stage has variables.
 */
export const eventMembers: readonly EventMember[] = [
  { path: "version", present: "always", form: /^"2\.0"$/, source: GUIDE },
  { path: "routeKey", present: "always", form: /^"(?:GET|POST) \/.*"$/, source: GUIDE },
  { path: "rawPath", present: "always", form: /^"\/.*"$/, source: GUIDE },
  { path: "rawQueryString", present: "always", form: /^"[^?].*"$|^""$/, source: GUIDE },
  { path: "cookies", present: "with cookies", form: /^\[("[^"]+",?)+\]$/, source: GUIDE },
  {
    path: "headers",
    present: "always",
    form: /^\{("[^"A-Z]+":"[^"]*",?)+\}$/,
    source: `${GUIDE}: names in lower case`,
  },
  { path: "queryStringParameters", present: "with a query", form: TEXTS_BY_NAME, source: GUIDE },
  { path: "pathParameters", present: "with parameters in its route", form: TEXTS_BY_NAME, source: GUIDE },
  { path: "stageVariables", present: "never here", form: TEXTS_BY_NAME, source: GUIDE },
  { path: "body", present: "with a body", form: TEXT, source: GUIDE },
  { path: "isBase64Encoded", present: "always", form: /^(?:true|false)$/, source: GUIDE },
  { path: "requestContext.accountId", present: "always", form: /^"\d{12}"$/, source: GUIDE },
  { path: "requestContext.apiId", present: "always", form: /^"[a-z0-9]+"$/, source: CAPTURE },
  {
    path: "requestContext.authentication.clientCert.clientCertPem",
    present: "with a client certificate",
    form: /^"-----BEGIN CERTIFICATE-----\\n.*-----END CERTIFICATE-----(?:\\n)?"$/,
    source: "API Gateway developer guide, Configuring mutual TLS authentication for an HTTP API",
  },
  {
    path: "requestContext.authentication.clientCert.subjectDN",
    present: "with a client certificate",
    form: TEXT,
    source: GUIDE,
  },
  {
    path: "requestContext.authentication.clientCert.issuerDN",
    present: "with a client certificate",
    form: TEXT,
    source: GUIDE,
  },
  {
    path: "requestContext.authentication.clientCert.serialNumber",
    present: "with a client certificate",
    form: /^"[0-9a-f]{2}(?::[0-9a-f]{2})*"$/,
    source: GUIDE,
  },
  {
    path: "requestContext.authentication.clientCert.validity.notBefore",
    present: "with a client certificate",
    form: /^"[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4} GMT"$/,
    source: GUIDE,
  },
  {
    path: "requestContext.authentication.clientCert.validity.notAfter",
    present: "with a client certificate",
    form: /^"[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4} GMT"$/,
    source: GUIDE,
  },
  { path: "requestContext.authorizer", present: "never here", form: /^\{/, source: GUIDE },
  { path: "requestContext.domainName", present: "always", form: /^"[^":/]+"$/, source: GUIDE },
  { path: "requestContext.domainPrefix", present: "always", form: /^"[^":/.]+"$/, source: GUIDE },
  { path: "requestContext.http.method", present: "always", form: /^"[A-Z]+"$/, source: GUIDE },
  { path: "requestContext.http.path", present: "always", form: /^"\/.*"$/, source: GUIDE },
  { path: "requestContext.http.protocol", present: "always", form: /^"HTTP\/1\.1"$/, source: GUIDE },
  { path: "requestContext.http.sourceIp", present: "always", form: /^"[0-9a-f.:]+"$/, source: GUIDE },
  { path: "requestContext.http.userAgent", present: "always", form: TEXT, source: GUIDE },
  { path: "requestContext.requestId", present: "always", form: /^"[A-Za-z0-9_-]{15}="$/, source: CAPTURE },
  { path: "requestContext.routeKey", present: "always", form: /^"(?:GET|POST) \/.*"$/, source: GUIDE },
  { path: "requestContext.stage", present: "always", form: /^"\$default"$/, source: GUIDE },
  {
    path: "requestContext.time",
    present: "always",
    form: /^"\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000"$/,
    source: GUIDE,
  },
  { path: "requestContext.timeEpoch", present: "always", form: /^\d{13}$/, source: GUIDE },
];

/** Headers in `headers` that the gateway adds to those of the request, or replaces. */
export const eventHeaders: readonly EventMember[] = [
  { path: "content-length", present: "always", form: /^"\d+"$/, source: CAPTURE },
  { path: "host", present: "always", form: TEXT, source: CAPTURE },
  {
    path: "x-amzn-trace-id",
    present: "always",
    form: /^"Root=1-[0-9a-f]{8}-[0-9a-f]{24}"$/,
    source: `${CAPTURE}; X-Ray developer guide, Tracing header`,
  },
  { path: "x-forwarded-for", present: "always", form: /^"[0-9a-f.:]+(?:, [0-9a-f.:]+)*"$/, source: CAPTURE },
  { path: "x-forwarded-port", present: "always", form: /^"\d+"$/, source: CAPTURE },
  { path: "x-forwarded-proto", present: "always", form: /^"https?"$/, source: CAPTURE },
  {
    path: "content-type",
    present: "with one of its own",
    form: TEXT,
    source:
      "API Gateway developer guide, Important notes for HTTP APIs: the gateway adds a Content-Type to a request without a payload and with a Content-Length of 0. The value is not documented, so none is added here",
  },
];
