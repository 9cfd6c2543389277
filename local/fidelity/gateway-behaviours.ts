import { contractBrand } from "../../lib/brand.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import type { KnownBehaviour } from "../known-behaviour.ts";

/** The headers of a curl line that requests a pass. */
const PASS_HEADERS = `-H "Authorization: Bearer $TOKEN" -H "${contractBrand.versionHeader}: ${passContractVersions[0]}"`;

const GUIDE = "API Gateway developer guide";
const CAPTURE =
  "requests to a live HTTP API, published with hotsock/voker (ingress-paths.json, apigwv2-request.json)";

/** Lets the function of passes fail on a deployment, and repairs it. Requests go to its alias, so `$LATEST` alone shows nothing. */
export const failedFunctionCommands = `# on a test stage: the alias \`live\` names a version without its handler, and then the earlier one again
f=countinghouse-$STAGE-get-pass
live=$(aws lambda get-alias --function-name $f --name live --query FunctionVersion --output text)
aws lambda update-function-configuration --function-name $f --handler index.absent
aws lambda wait function-updated-v2 --function-name $f
broken=$(aws lambda publish-version --function-name $f --query Version --output text)
aws lambda wait published-version-active --function-name $f --qualifier $broken
aws lambda update-alias --function-name $f --name live --function-version $broken
curl -i "$URL/passes/demo-1"
aws lambda update-alias --function-name $f --name live --function-version $live
aws lambda update-function-configuration --function-name $f --handler index.handler`;

const UNIT = "test/unit/local/gateway";
const TARGET = `${UNIT}/request-target.test.ts`;
const RESPONSE = `${UNIT}/response.test.ts`;
const GATEWAY = "test/integration/gateway.test.ts";
const REFUSALS = "test/integration/gateway-refusals.test.ts";
const EVENT = "test/integration/gateway-event.test.ts";
const CORS = "test/integration/gateway-cors.test.ts";

const requests: readonly KnownBehaviour[] = [
  {
    behaviour:
      "The path is decoded twice before it is matched to a route, so an encoded slash separates segments.",
    source: `${CAPTURE} for \`rawPath\`; that routes see the decoded path is assumed`,
    standing: "imitated",
    heldBy: TARGET,
    shownBy: 'curl -i "$URL/passes/a%2Fb" # the gateway\'s own 404 when routes see the decoded path',
    comparedBy: [
      "path-slash",
      "path-slash-encoded-twice",
      "path-encoded-separator",
      "path-pass-encoded-twice",
    ],
  },
  {
    behaviour:
      "The path ends at a question mark that the first decoding produces; the rest is dropped, and the query stays as it was sent.",
    source: CAPTURE,
    standing: "imitated",
    heldBy: TARGET,
    shownBy: `curl -i "$URL/passes/demo-1%3Fx=1" ${PASS_HEADERS} # the pass`,
    comparedBy: ["path-question-mark", "path-pass-before-question-mark"],
  },
  {
    behaviour:
      "A percent sign that does not begin an encoded byte, at either decoding, is answered with 400.",
    source: `${CAPTURE} for the second decoding; assumed for the first`,
    standing: "enforced",
    heldBy: TARGET,
    shownBy: 'curl -i "$URL/passes/50%25"; curl -i "$URL/passes/50%"',
    comparedBy: ["path-percent", "path-stray-percent"],
  },
  {
    behaviour: "Invalid UTF-8 in an encoded path becomes U+FFFD.",
    source: "Assumed.",
    standing: "imitated",
    heldBy: TARGET,
    shownBy: 'curl -i "$URL/passes/%FF"',
    comparedBy: ["path-invalid-utf8"],
  },
  {
    behaviour: "`rawPath` has neither the base path of a custom domain nor the stage `$default`.",
    source: `${GUIDE}, Create AWS Lambda proxy integrations for HTTP APIs: rawPath does not have the API mapping value`,
    standing: "imitated",
    heldBy: TARGET,
    comparedBy: ["list-trades"],
  },
  {
    behaviour: "The base path of a custom domain is compared with the path as it was sent.",
    source: "Assumed.",
    standing: "imitated",
    heldBy: TARGET,
    shownBy: 'curl -i "$URL/%61pi/passes/demo-1" # with the base path /api; 404 when it is compared as sent',
    comparedBy: ["path-encoded-base"],
  },
  {
    behaviour: "A route without a slash at its end does not match a path with one.",
    source: "Reports contradict one another (aws-powertools/powertools-lambda-python #1552, w3infra #166).",
    standing: "imitated",
    heldBy: GATEWAY,
    shownBy: 'curl -i "$URL/passes/demo-1/" # the gateway\'s own 404, or an answer with error_id',
    comparedBy: ["get-pass-trailing-slash", "list-transactions-trailing-slash"],
  },
  {
    behaviour: "A route for GET does not answer HEAD, which needs a route of its own.",
    source: "Assumed: a route key names one method.",
    standing: "imitated",
    heldBy: GATEWAY,
    shownBy: 'curl -I "$URL/passes/demo-1" # 404',
    comparedBy: ["get-pass-head", "list-transactions-head"],
  },
  {
    behaviour:
      "A request whose request line and header values have more than 10,240 bytes is answered with 431.",
    source: `${GUIDE}, Quotas for HTTP APIs; the status is assumed`,
    standing: "enforced",
    heldBy: GATEWAY,
    shownBy: 'curl -i "$URL/passes/demo-1" -H "X-Long: $(head -c 10240 /dev/zero | tr \'\\0\' x)"',
    comparedBy: ["header-bytes", "query-too-long"],
  },
  {
    behaviour:
      "A request without `Host`, with two of them or with an unreadable one, bytes that are not HTTP, and `CONNECT` are answered with 400.",
    source: "RFC 9112, section 3.2; for bytes that are not HTTP, and for CONNECT, the status is assumed",
    standing: "enforced",
    heldBy: REFUSALS,
    shownBy:
      'curl -i "$URL/passes/demo-1" -H "Host: a.example" -H "Host: b.example"; curl -i "$URL/passes/demo-1" -H "Host:"',
    comparedBy: ["host", "not-http", "method-connect"],
  },
  {
    behaviour:
      "A request that is not complete in time is answered with 408, and an expectation other than `100-continue` with 417.",
    source: "RFC 9110, sections 15.5.9 and 10.1.1; AWS does not document its time limits and the bodies",
    standing: "imitated",
    heldBy: REFUSALS,
    comparedBy: ["header-expect-unknown"],
  },
  {
    behaviour:
      "A valid request is answered before a faulty one behind it on the same connection is refused. Here Node.js answers only the 400, although the function ran.",
    source: "RFC 9112, section 9.3.2; assumed for the gateway",
    standing: "not here",
  },
  {
    behaviour: "A request whose body breaks off reaches no function.",
    source: "Assumed: an event has the whole body.",
    standing: "imitated",
    heldBy: REFUSALS,
    shownBy:
      'timeout 2 curl -X GET "$URL/passes/demo-1" -H "Content-Length: 9" -d abc # no line in the function\'s log',
  },
  {
    behaviour: "A body of more than 10 MB, or an event of more than 6 MB of JSON, is answered with 413.",
    source: `${GUIDE}, Quotas for HTTP APIs; Lambda developer guide, Lambda quotas; the status for an event is assumed`,
    standing: "enforced",
    heldBy: GATEWAY,
    shownBy: 'head -c 10485761 /dev/zero | curl -i -X GET "$URL/passes/demo-1" --data-binary @-',
  },
  {
    behaviour:
      "An event has the members of payload format 2.0, without those for parts that the request lacks.",
    source: `${GUIDE}, payload format structure; ${CAPTURE}`,
    standing: "imitated",
    heldBy: EVENT,
  },
  {
    behaviour:
      "The query reaches the function byte for byte; repeated parameters and headers are joined by commas, and cookies are a list.",
    source: CAPTURE,
    standing: "imitated",
    heldBy: GATEWAY,
    comparedBy: ["query", "header-twice", "header-cookie"],
  },
  {
    behaviour: "A `Content-Type` is added to a request without a payload.",
    source: `${GUIDE}, Important notes for HTTP APIs, which do not say which type; in no event that was seen`,
    standing: "not here",
  },
  {
    behaviour: "The gateway writes incoming `X-Forwarded-*` headers into a `Forwarded` header.",
    source: `${GUIDE}, Important notes for HTTP APIs; no event that was seen has one`,
    standing: "not here",
    comparedBy: ["header-forwarded"],
  },
  {
    behaviour:
      "One id, 15 characters of Base64url and `=`, names a request in its event, in the access log and in the header `apigw-requestid`.",
    source: `${CAPTURE} for the form; that all three are the same is assumed`,
    standing: "imitated",
    heldBy: GATEWAY,
    shownBy:
      'curl -si "$URL/passes/demo-1" | grep -i apigw-requestid # then look for it in the access log and the function\'s log',
    comparedBy: ["path-unknown"],
  },
];

const answers: readonly KnownBehaviour[] = [
  {
    behaviour:
      "An answer that breaks one of the rules for answers becomes a 500; only the log has the cause.",
    source: "local/gateway/answer-rules.ts, with the source of each",
    standing: "enforced",
    heldBy: RESPONSE,
  },
  {
    behaviour: "A value without a `statusCode` becomes the body of a 200 of type application/json.",
    source: `${GUIDE}, Lambda function response for format 2.0`,
    standing: "imitated",
    heldBy: RESPONSE,
  },
  {
    behaviour: "An answer without a `Content-Type` gets `text/plain; charset=utf-8`, whatever its status.",
    source:
      "aws/aws-lambda-dotnet, ApiGatewayResponseExtensions, which is tested against live APIs; not documented for 204 and 304",
    standing: "imitated",
    heldBy: RESPONSE,
    shownBy: `curl -si "$URL/passes/demo-1" ${PASS_HEADERS} -H "If-None-Match: *" # the only Content-Type is application/json`,
    comparedBy: ["get-pass-unchanged"],
  },
  {
    behaviour: "Header names reach the client in lower case.",
    source: "RFC 9113, section 8.2.1; assumed for HTTP/1.1",
    standing: "imitated",
    heldBy: RESPONSE,
    comparedBy: ["path-unknown", "get-pass"],
  },
  {
    behaviour:
      "The gateway replaces a function's headers for framing, the date and the request's id by its own.",
    source:
      "RFC 9110, section 7.6.1: such headers belong to one connection. Assumed for the date; no function here sends one.",
    standing: "imitated",
    heldBy: RESPONSE,
    comparedBy: ["get-pass"],
  },
  {
    behaviour: "`WWW-Authenticate` reaches the client under its own name.",
    source: `${GUIDE}, Important notes: they name renamed headers for REST APIs but not for HTTP APIs`,
    standing: "imitated",
    heldBy: "test/integration/endpoints.test.ts",
    shownBy: 'curl -si "$URL/passes/demo-1" | grep -i authenticate',
    comparedBy: [
      "get-pass-invalid-credentials",
      "get-transaction-invalid-token",
      "get-transaction-insufficient-scope",
    ],
  },
  {
    behaviour: "Each entry of `cookies` becomes a `Set-Cookie` header.",
    source: `${GUIDE}, payload format differences`,
    standing: "imitated",
    heldBy: RESPONSE,
  },
  {
    behaviour:
      "An API with CORS rules answers preflights itself, adds CORS headers for allowed origins, and ignores the CORS headers of functions.",
    source: `${GUIDE}, Configure CORS for HTTP APIs`,
    standing: "imitated",
    heldBy: CORS,
    comparedBy: ["method-preflight", "header-origin"],
  },
];

const functions: readonly KnownBehaviour[] = [
  {
    behaviour:
      "The memory limit counts all that a function's process uses, and its load may take 10 seconds. Here the limit counts JavaScript's heap alone. No time on a clock ends a load: one that hangs ends after 10 seconds of CPU time, or a minute without any.",
    source:
      "Lambda developer guide, Configure Lambda function memory; Lambda execution environment lifecycle",
    standing: "not here",
  },
  {
    behaviour: "The log of a function has lines of Lambda's own: a start and a report of each request.",
    source: "Lambda developer guide, Sending Lambda function logs to CloudWatch Logs",
    standing: "not here",
  },
  {
    behaviour: "The gateway answers 500 for a function that throws, ends its process or exceeds its timeout.",
    source: "Reports only.",
    standing: "imitated",
    heldBy: GATEWAY,
    shownBy: failedFunctionCommands,
  },
  {
    behaviour:
      "The gateway answers 503 for a function that is throttled or exceeds its integration's timeout.",
    source: "Reports only.",
    standing: "imitated",
    heldBy: GATEWAY,
    shownBy: `# on a test stage whose file reserves nothing for the function: the last command would take that away too
aws lambda put-function-concurrency --function-name countinghouse-$STAGE-get-pass --reserved-concurrent-executions 0
curl -i "$URL/passes/demo-1"
aws lambda delete-function-concurrency --function-name countinghouse-$STAGE-get-pass`,
  },
  {
    behaviour: "A handler that takes a callback is refused when its module is loaded.",
    source:
      "Lambda developer guide, Define Lambda function handler in Node.js; aws/aws-lambda-nodejs-runtime-interface-client",
    standing: "enforced",
    heldBy: GATEWAY,
  },
  {
    behaviour: "The context has the members that functions for Node.js 24 get, without those for callbacks.",
    source:
      "Lambda developer guide, Using the Lambda context object to retrieve Node.js function information",
    standing: "imitated",
    heldBy: GATEWAY,
  },
  {
    behaviour:
      "`_X_AMZN_TRACE_ID` has the trace of each invocation. (Here it goes on with the event's `x-amzn-trace-id`, and nothing is traced.)",
    source: "Lambda developer guide, Defined runtime environment variables; that it goes on is assumed",
    standing: "imitated",
    heldBy: GATEWAY,
    shownBy:
      'curl -s "$URL/passes/demo-1" # then compare trace_id in the function\'s log with a function that prints its event',
  },
  {
    behaviour:
      "A function has its own environment variables, memory limit and time limit, and handles one request at a time.",
    source: "Lambda developer guide, Lambda execution environment lifecycle",
    standing: "imitated",
    heldBy: GATEWAY,
  },
  {
    behaviour:
      "An execution environment is a process of its own and is frozen between requests; there are as many as simultaneous requests need, and each is kept for some minutes. Here it is a thread; a function has one more than there are cores at most, and four in all. One ends a minute after its last request.",
    source: "Lambda developer guide, Lambda execution environment lifecycle",
    standing: "not here",
  },
  {
    behaviour: "A function runs on arm64, on Amazon's build of Node.js 24.",
    source: "Lambda developer guide, Lambda runtimes",
    standing: "not here",
  },
];

const surroundings: readonly KnownBehaviour[] = [
  {
    behaviour: "A custom domain answers a path outside of its base path with 403. Here the answer is 404.",
    source: "AWS re:Post, knowledge center, 403 errors of custom domain names; reports of the body differ",
    standing: "not here",
    comparedBy: ["path-outside-base", "path-without-base"],
  },
  {
    behaviour:
      "A client certificate is not checked for revocation (CRL, OCSP), and an event has the client's own without its chain. The truststore has limits of size, length of chains and algorithms.",
    source: `${GUIDE}, Configuring mutual TLS authentication for an HTTP API`,
    standing: "not here",
  },
  {
    behaviour:
      "If a table has replicas in other regions, a strongly consistent read may miss what was written in another one.",
    source: "DynamoDB developer guide, Global tables: consistency modes; no table here has replicas",
    standing: "not here",
  },
  {
    behaviour: "While a deployment changes over, old and new versions of a function serve side by side.",
    source: "Lambda developer guide, Lambda function aliases",
    standing: "not here",
  },
  {
    behaviour:
      "A custom domain serves the API over TLS 1.2 under its base path, and the gateway's own address is closed.",
    source: `${GUIDE}, Custom domain names for HTTP APIs`,
    standing: "not here",
    shownBy:
      'curl -i "$URL/passes/demo-1"; curl -i "https://$API_ID.execute-api.$REGION.amazonaws.com/passes/demo-1" # 404 or 403',
    comparedBy: ["path-outside-base", "path-without-base"],
  },
  {
    behaviour:
      "A domain with mutual TLS ends the handshake of a client that has no certificate from an authority in the truststore.",
    source: `${GUIDE}, Configuring mutual TLS authentication for an HTTP API`,
    standing: "enforced",
    heldBy: "test/integration/endpoints.test.ts",
    comparedBy: ["get-pass-without-certificate"],
  },
  {
    behaviour:
      "A truststore in S3 lists the authorities whose certificates are accepted. Here it is one authority, made for the data directory.",
    source: `${GUIDE}, Configuring mutual TLS authentication for an HTTP API`,
    standing: "not here",
    shownBy: 'curl -i "$MTLS_URL/passes/demo-1" --cert client.pem --key client-key.pem',
    comparedBy: ["get-pass-by-certificate", "get-pass-by-certificate-of-a-stranger"],
  },
  {
    behaviour:
      "The stage lets a set number of requests through each second, as well as it can and not exactly, and answers the others with 429. (Here `npm run ops -- demo fault all gateway-429` gives that answer on demand.)",
    source: `${GUIDE}, Throttle requests to your HTTP APIs`,
    standing: "not here",
    shownBy:
      'seq 3000 | xargs -P 200 -I{} curl -so /dev/null -w "%{http_code}\\n" "$URL/passes/demo-1" | sort | uniq -c',
  },
  {
    behaviour:
      "Alarms ring and tell their topics, and the dashboard shows their metrics. The tests evaluate the alarms over lines of the local service.",
    source: "CloudWatch user guide, Using Amazon CloudWatch alarms",
    standing: "not here",
    shownBy:
      'aws cloudwatch set-alarm-state --alarm-name countinghouse-$STAGE-gateway --state-value ALARM --state-reason "a test" # on a test stage: it pages',
  },
  {
    behaviour:
      "Each request leaves a line in the access log of the stage, with the client's address and, if it has one, the subject, issuer and serial number of its certificate.",
    source: `${GUIDE}, Customize HTTP API access logs`,
    standing: "not here",
    shownBy: 'aws logs tail "$ACCESS_LOG_GROUP" --since 5m',
  },
  {
    behaviour:
      "The access log has Lambda's id of the invocation, which the lines of the function and of Lambda have as well.",
    source: `${GUIDE}, Customize HTTP API access logs, \`integration.requestId\`: the id of the AWS endpoint`,
    standing: "not here",
    shownBy:
      'aws logs tail "$ACCESS_LOG_GROUP" --since 5m # integrationRequestId is aws_request_id in the function\'s log',
  },
  {
    behaviour:
      "CloudWatch reads metrics from the lines of functions, and keeps the queries over them. (Here the lines are the same, and nothing counts them.)",
    source: "CloudWatch user guide, Embedding metrics within logs; CloudWatch Logs user guide, Saved queries",
    standing: "not here",
    shownBy:
      "aws cloudwatch list-metrics --namespace countinghouse; aws logs describe-query-definitions --query-definition-name-prefix countinghouse/$STAGE",
  },
  {
    behaviour:
      "Schedules call the function `report-expiry`. Here nothing does, so functions ask the local issuer for its keys, and no metric tells of switches and expiry.",
    source: "EventBridge Scheduler user guide, Managing a schedule",
    standing: "not here",
    shownBy: 'aws logs tail "$REPORT_EXPIRY_LOG_GROUP" --since 10m',
  },
  {
    behaviour: "Clients may use HTTP/2.",
    source: `${GUIDE}, HTTP APIs; \`requestContext.http.protocol\` is HTTP/1.1 in every event that was seen`,
    standing: "not here",
    shownBy: 'curl -si --http2 "$URL/passes/demo-1" | head -1',
  },
];

/** The known behaviour of API Gateway and of the Lambda runtime behind it, and how far the local service has it. */
export const gatewayBehaviours: readonly KnownBehaviour[] = [
  ...requests,
  ...answers,
  ...functions,
  ...surroundings,
];
