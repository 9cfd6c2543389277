import { commands } from "../../local/installation.ts";

/** Something of the contracts or of AWS that no request of the suite can show, and the command that does. */
export interface ByHand {
  readonly name: string;
  readonly shows: string;
  /** Why the suite does not show it. */
  readonly why: string;
  /** For a shell. `$URL` is the deployed address, `$STAGE` the stage. */
  readonly command: string;
}

const PASS = 'curl -i "$URL/passes/compare"';
const COMPARE = `${commands.ops} compare --left http://127.0.0.1:3000 --right "$URL"`;
const FUNCTION = "--function-name countinghouse-$STAGE-get-pass";

/** Lets the function of passes fail, and repairs it. Requests go to its alias, so `$LATEST` alone shows nothing. */
const FAILED_FUNCTION = `# on a test stage: the alias \`live\` names a version without its handler, and then the earlier one again
f=countinghouse-$STAGE-get-pass
live=$(aws lambda get-alias --function-name $f --name live --query FunctionVersion --output text)
aws lambda update-function-configuration --function-name $f --handler index.absent
aws lambda wait function-updated-v2 --function-name $f
broken=$(aws lambda publish-version --function-name $f --query Version --output text)
aws lambda wait published-version-active --function-name $f --qualifier $broken
aws lambda update-alias --function-name $f --name live --function-version $broken
${PASS}
aws lambda update-alias --function-name $f --name live --function-version $live
aws lambda update-function-configuration --function-name $f --handler index.handler`;

/** What is to be shown by hand, what is least known first. */
export const byHand: readonly ByHand[] = [
  {
    name: "function-throttled",
    shows: "The answer for a function that is throttled, and whether it has `Retry-After`.",
    why: "it takes a function out of service, and its reservation away: use a test stage",
    command: `aws lambda put-function-concurrency ${FUNCTION} --reserved-concurrent-executions 0; ${commands.ops} demo fault get-pass gateway-503; ${COMPARE} --only get-pass-invalid-credentials; aws lambda delete-function-concurrency ${FUNCTION}; ${commands.ops} demo fault clear`,
  },
  {
    name: "consumed-capacity",
    shows: "A read that finds nothing reports the capacity that it consumed; a 404 rests on it.",
    why: "no answer shows it",
    command: `aws dynamodb get-item --table-name countinghouse-$STAGE-Passes --key '{"partner_reference":{"S":"compare-absent"}}' --consistent-read --return-consumed-capacity TOTAL # ConsumedCapacity, and no Item`,
  },
  {
    name: "function-failed",
    shows: "The answer for a function that throws, ends its process or exceeds its timeout.",
    why: "it breaks a function",
    command: FAILED_FUNCTION,
  },
  {
    name: "store-refused",
    shows: "The 500 or 503 of a function whose store does not answer.",
    why: "it breaks a function",
    command: `ROLE=$(aws lambda get-function-configuration ${FUNCTION} --query Role --output text | sed 's|.*/||'); aws iam put-role-policy --role-name "$ROLE" --policy-name compare --policy-document '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Action":"dynamodb:*","Resource":"*"}]}'; ${PASS}; aws iam delete-role-policy --role-name "$ROLE" --policy-name compare`,
  },
  {
    name: "endpoint-off",
    shows: "The 503 of an endpoint that is switched off.",
    why: "it takes an endpoint out of service",
    command: `${commands.ops} switch get-pass off --reason compare --stage "$STAGE"; ${commands.ops} switch get-pass off --reason compare; ${COMPARE} --only get-pass-invalid-credentials; ${commands.ops} switch get-pass on --stage "$STAGE"; ${commands.ops} switch get-pass on`,
  },
  {
    name: "stage-throttled",
    shows: "The answer to a request beyond the throttle of its route.",
    why: "it takes an endpoint out of service for others",
    command: `seq 3000 | xargs -P 200 -I{} curl -so /dev/null -w "%{http_code}\\n" "$URL/passes/compare" | sort | uniq -c`,
  },
  {
    name: "request-too-slow",
    shows: "The answer to a request that is not complete in time.",
    why: "the time limits of AWS are not known, and the suite would wait for them",
    command: `timeout 120 curl -i -X GET "$URL/passes/compare" -H "Content-Length: 9" -d abc`,
  },
  {
    name: "body-broken-off",
    shows: "A request whose body breaks off reaches no function.",
    why: "only the function's log shows it",
    command: `timeout 2 curl -X GET "$URL/passes/compare" -H "Content-Length: 9" -d abc # no line in the function's log`,
  },
  {
    name: "body-too-large",
    shows: "A body of more than 10 MB is refused.",
    why: "it sends 10 MB",
    command: `head -c 10485761 /dev/zero | curl -i -X GET "$URL/passes/compare" --data-binary @-`,
  },
  {
    name: "http-2",
    shows: "Clients may use HTTP/2.",
    why: "the suite speaks HTTP/1.1",
    command: 'curl -si --http2 "$URL/passes/compare" | head -1',
  },
  {
    name: "request-in-logs",
    shows:
      "One id names a request in its event, in the access log and in the answer; each request has a line there.",
    why: "only the logs show it",
    command: `${PASS} | grep -i apigw-requestid # then look for it in the access log and the function's log`,
  },
  {
    name: "own-address-closed",
    shows: "The gateway's own address is closed where the stage has domains.",
    why: "it is a third address",
    command: 'curl -i "https://$API_ID.execute-api.$REGION.amazonaws.com/passes/compare" # 404 or 403',
  },
];
