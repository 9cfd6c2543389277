import { contractBrand } from "../../lib/brand.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { parseExactJson } from "../../lib/json/exact-json.ts";
import { type EndpointReference, schemaOf } from "../../local/endpoints/endpoint-reference.ts";
import type { JsonSchema } from "../../local/endpoints/json-schema.ts";
import { answerSchemas } from "../../local/endpoints/schemas.ts";
import { commonHeaders } from "./common-headers.ts";
import { credentialSections } from "./credential-sections.ts";
import { rowsOf, ruleOf, table } from "./markdown-table.ts";
import type { DocumentedEndpoint } from "./openapi.ts";
import { parametersOf } from "./parameters.ts";
import type { RecordedExample } from "./recorded-example.ts";

/** `docs/reference.md`: all that an integrator has to know, in one page. */
export function referencePage(endpoints: readonly DocumentedEndpoint[]): string {
  return [
    OPENING,
    "## Endpoints",
    contentsTable(endpoints),
    ...credentialSections,
    LIMITS,
    limitsTable(endpoints),
    EVERY_REQUEST,
    EVERY_ANSWER,
    table(
      ["header", "meaning"],
      [
        ...Object.entries(commonHeaders).map(([name, { description }]) => [`\`${name}\``, description]),
        ["`Retry-After`", "On a 429 and a 503: how long to wait, in the unit of the interface."],
        ["`WWW-Authenticate`", "On a 401, and on a 403 of a token: the credential that is asked for."],
      ],
    ),
    ...endpoints.flatMap(endpointSection),
    "## Records",
    RECORDS,
    ...Object.entries(answerSchemas()).flatMap(recordSection),
  ]
    .join("\n\n")
    .concat("\n");
}

const OPENING = `# Reference

<!-- \`npm run write -- reference\` writes this page from the contracts that the functions check requests with. -->

What a client has to know: endpoints, credentials, limits, parameters, fields, and every status with an answer that the
service really gave. [openapi.json](api/openapi.json) says the same to programs.

\`npm start\` serves all of it at \`http://127.0.0.1:3000\`, with the credentials of [\`demo.json\`](sandbox.md#what-demojson-has). A deployment may have a base
path, and other words in place of \`${contractBrand.headerPrefix}\` (headers of the exchange), \`${contractBrand.versionHeader}\`,
\`${contractBrand.ownAccount}\` (account type, payment) and \`${contractBrand.venue}\` (venue): ask its operator.`;

const LIMITS = `## Limits

All credentials of an owner draw on the same buckets. If a bucket has too few tokens, the answer is a \`429\`: wait for \`retry_after_ms\` of
its body, which is always in milliseconds, and send the request again. \`Retry-After\` says the same, in milliseconds on the exchange and
rounded up to whole seconds elsewhere. Tokens come back evenly, one every 50 ms where 20 come back every second, until the bucket is full. They are taken
just before the record is read. So 200, 304, 404, 410, 500 and \`temporarily_unavailable\` cost them, and any other answer is free.
[errors.md](errors.md#repeat) says what to repeat, and when.

A deployment may have other limits than these; \`RateLimit-Policy\` tells them.`;

const EVERY_REQUEST = `## Every request

Write a path as it stands here, without a slash at its end. Percent-encode an ID in a path, and a value in a query, as UTF-8: everything but
letters, digits and \`-\`, \`.\`, \`_\`, \`~\`. A \`+\` in a query is a space. Names and words are compared with their case, unless their rule says otherwise. A parameter is given
once, and with a value, unless its rule lets it be repeated.`;

const EVERY_ANSWER = `## Every answer

Bodies are JSON in UTF-8. A body of more than 1 KiB is compressed where \`Accept-Encoding\` allows it (\`zstd\`, \`br\` or \`gzip\`), except for a pass.
**Amounts keep the digits that were booked**, such as \`0.123456789012345678\`: read numbers as decimals, because a
double has 15 to 17 digits ([amounts.md](amounts.md) has programs).
Fields that have nothing to say are absent, never \`null\`. New fields and new words in a field may be added: ignore the fields that you do not know, and expect words that you do not know; the lists of words here and in openapi.json are today's.

Checks run in this order, and the first that fails decides the answer: whether the endpoint is switched off (\`service_disabled\`), credentials, scope, parameters, limit, record. For an
unknown path or method API Gateway, not the service, answers a 404 with the body \`{"message": …}\`.

[errors.md](errors.md) says what to do about each error. The examples of errors leave out \`RateLimit\`, because its numbers depend on the requests before.`;

const RECORDS = "Dates and times are ISO 8601. Where *present* is empty, the field may be absent.";

const contentsTable = (endpoints: readonly DocumentedEndpoint[]): string =>
  table(
    ["interface", "endpoint", "does"],
    endpoints.map(({ reference: { tag, title, contract } }) => [
      tag,
      `\`${contract.method} ${contract.route}\``,
      `[${title}](#${anchorOf(title)})`,
    ]),
  );

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

const limitsTable = (endpoints: readonly DocumentedEndpoint[]): string =>
  table(
    ["endpoint", "limit", "cost", "buckets"],
    endpoints.map(({ reference: { contract, cost } }) => [
      `\`${contract.route}\``,
      `\`${contract.limit.name}\``,
      cost,
      contract.limit.defaultBuckets
        .map(
          ({ name, burst, refillTokens, refillWindowMs }) =>
            `\`${name}\`: ${burst} when full, ${refillTokens} more every ${refillWindowMs / 1000} s`,
        )
        .join("; "),
    ]),
  );

function endpointSection({ reference, examples }: DocumentedEndpoint): string[] {
  const { title, text, contract, success, notModified, codes } = reference;
  return [
    `## ${title}`,
    `\`${contract.method} ${contract.route}\``,
    ...text,
    "**Parameters**",
    parameterTable(reference),
    `**\`200\`** ${success.text} Its fields: [${schemaOf(success)}](#${schemaOf(success).toLowerCase()}). \`Cache-Control: ${contract.cacheControl}\`.`,
    ...(Object.keys(success.headers).length === 0
      ? []
      : [
          table(
            ["header", "meaning"],
            Object.entries(success.headers).map(([name, meaning]) => [`\`${name}\``, meaning]),
          ),
        ]),
    ...(notModified === undefined ? [] : [`**\`304\`** ${notModified}`]),
    `**Errors** ${codes.map((code) => `\`${statusOf[code]} ${code}\``).join(", ")}.`,
    "**Examples**",
    ...examples.map((example) => exampleBlock(example, contract.method)),
  ];
}

const parameterTable = (reference: EndpointReference): string =>
  table(
    ["name", "in", "rule", "meaning"],
    parametersOf(reference).map(({ name, in: place, required, schema, description }) => [
      `\`${name}\``,
      required ? `${place}, required` : place,
      ruleOf(schema),
      description,
    ]),
  );

const recordSection = ([name, schema]: [string, JsonSchema]): string[] => [
  `### ${name}`,
  schema.properties === undefined
    ? "An array of [Transaction](#transaction)."
    : table(["field", "type", "present", "meaning"], rowsOf(schema)),
];

/** A request and its answer as they went over the wire, with the body set out in lines. The reader opens it. */
function exampleBlock({ name, code, request, response }: RecordedExample, method: string): string {
  const title = code === undefined ? name : `<code>${response.status} ${code}</code>`;
  const lines = (headers: Readonly<Record<string, string>>): string[] =>
    Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  const exchange = [
    `${method} ${request.target}`,
    ...lines(request.headers),
    "",
    `HTTP/1.1 ${response.status}`,
    ...lines(response.headers),
    ...(response.body === "" ? [] : ["", JSON.stringify(parseExactJson(response.body), null, 2)]),
  ];
  return `<details><summary>${title}</summary>\n\n\`\`\`http\n${exchange.join("\n")}\n\`\`\`\n\n</details>`;
}
