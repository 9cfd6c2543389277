/** Something about AWS that is known only from reading, and the command that shows it in an account. */
export interface OpenClaim {
  readonly claim: string;
  /** With `<name>` for the stage. */
  readonly how: string;
  /** Where AWS, or a report, says it. */
  readonly page?: string;
}

const CLAIMS: readonly OpenClaim[] = [
  {
    claim: "a deployment adopts tables that are there",
    how: "delete the data stack as docs/deployment.md deletes one, and deploy it with `--import-existing-resources`",
    page: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html",
  },
  {
    claim: "a job writes only its own items of `Settings`, and `report-expiry` only key sets",
    how: `with \`SwitchesPolicy\` alone, \`aws dynamodb put-item --table-name countinghouse-<name>-Settings --item '{"id":{"S":"key-set#x"}}'\` must be denied; after five minutes, as an administrator, \`aws dynamodb scan --table-name countinghouse-<name>-Settings --select COUNT --filter-expression "begins_with(id, :k)" --expression-attribute-values '{":k":{"S":"key-set#"}}'\` must count the issuers`,
    page: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html",
  },
  {
    claim: "`report-expiry` reads the truststore by a request that it signs",
    how: 'run the job `expiry`, then a line with `"kind":"truststore"` in its log',
    page: "https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html",
  },
  {
    claim: "the CDK refuses a table of `tables` that is not there",
    how: "with `-r9999` in `tables`, `npx cdk synth -c stage=<name>` must fail and name the table",
    page: "https://docs.aws.amazon.com/cdk/v2/guide/context.html",
  },
  {
    claim: "a restored table is imported into the data stack, and needs no change afterwards",
    how: "the last step of `restore plan`, then `npx cdk drift countinghouse-<name>-data -c stage=<name>`",
    page: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-import.html",
  },
  {
    claim:
      "the gateway's own address answers 403 once a stage has domains; a wallet takes a 404 as final, so give passes a domain from the beginning",
    how: 'note the `ApiUrl`, deploy with `domains`, and `curl -i "$URL/passes/x"`',
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-disable-default-endpoint.html",
  },
  {
    claim: "a domain without a mapping answers 403, never 404",
    how: "`curl -i https://<domain>/passes/x` in a loop while `npx cdk destroy countinghouse-<name>-api -c stage=<name> --exclusively` runs, and while it is deployed again",
    page: "https://repost.aws/knowledge-center/api-gateway-403-custom-domain",
  },
  {
    claim: "the stage changes over to a new snapshot in one step",
    how: "`curl` in a loop while a deployment adds a route",
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-stages.html",
  },
  {
    claim: "a throttle holds for its route alone",
    how: "with a route's throttle of 1, send 50 requests a second to it and 1 to another: only the first gets 429",
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html",
  },
  {
    claim: "a log group under `/aws/vendedlogs/` needs no entry in the log policy",
    how: "`aws logs describe-resource-policies` before and after the first deployment",
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging.html",
  },
  {
    claim: "the alias changes over without an error",
    how: "a loop of `curl` while a deployment runs",
    page: "https://docs.aws.amazon.com/lambda/latest/dg/configuration-aliases.html",
  },
  {
    claim: "a crash takes a gradual release back",
    how: "with `release.shift`, deploy a handler that throws",
    page: "https://docs.aws.amazon.com/codedeploy/latest/userguide/deployments-rollback-and-redeploy.html",
  },
  {
    claim: "an alarm reaches people through the encrypted topic",
    how: '`aws cloudwatch set-alarm-state --alarm-name countinghouse-<name>-gateway-get-pass --state-value ALARM --state-reason "a test"`: its message, and two minutes later one of `page-gateway-get-pass`; `aws cloudwatch describe-alarm-history --alarm-types MetricAlarm CompositeAlarm --history-item-type Action` shows no failed action',
    page: "https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns",
  },
  {
    claim: "a mute rule begins at its minute, and IAM names it `alarm-mute-rule`",
    how: 'with `SwitchesPolicy` alone, `switch get-pass off --reason "a test" --mute 20m` and `on` without an error; in between `aws cloudwatch get-alarm-mute-rule --alarm-mute-rule-name countinghouse-<name>-switched-off-get-pass --query Status` says `ACTIVE`',
    page: "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-mute-rules.html",
  },
  {
    claim: "`SERVICE_QUOTA` knows `ConcurrentExecutions`",
    how: "the alarm `countinghouse-<name>-concurrency` leaves `INSUFFICIENT_DATA` after the first request",
    page: "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Quotas-Visualize-Alarms.html",
  },
  {
    claim:
      "the access log has `-` as the route of a request that finds none, on which `gateway-unrouted` rests",
    how: '`curl "$URL/nowhere"`, then the line in the access log',
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html",
  },
  {
    claim: "the access log has `-` or nothing for a function that did not answer",
    how: "`aws lambda put-function-concurrency --function-name countinghouse-<name>-<endpoint> --reserved-concurrent-executions 0`: `countinghouse-<name>-gateway-<endpoint>` must ring",
  },
  {
    claim: "a crash pages once",
    how: "a handler that throws and one request: one message of `crash-<endpoint>`, none of `page-gateway-<endpoint>`",
    page: "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Composite_Alarm_Suppression.html",
  },
  {
    claim: "the anomaly model of `unauthorized` takes the expression with the floor",
    how: "after three days the graph of `countinghouse-<name>-unauthorized-get-pass` has a band",
    page: "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Anomaly_Detection.html",
  },
  {
    claim: "a release is taken back by its alarm",
    how: 'deploy with `--rollback-trigger-alarm-arns`, and meanwhile `aws cloudwatch set-alarm-state --alarm-name countinghouse-<name>-release --state-value ALARM --state-reason "a test"`',
    page: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-rollback-triggers.html",
  },
  {
    claim: "the workflow's role is enough, and opens to `main` alone",
    how: "a run of the workflow; and, with the deployment branch lifted, one on another branch without its first step: AWS must refuse the role",
  },
  {
    claim: "a stage changes its key without a refused read",
    how: "change the key (docs/deployment.md) with a loop of requests that need a record: no 5xx",
  },
  {
    claim: "four KMS actions are enough for functions",
    how: "with `encryption.keyArn`, call every endpoint, and look for `AccessDenied` of `kms:` in CloudTrail",
  },
  {
    claim: "the vault gets a backup of each table, also under your key, and the other vault its copy",
    how: "on the next day `aws backup list-recovery-points-by-backup-vault --backup-vault-name countinghouse-<name>`, in both accounts",
    page: "https://docs.aws.amazon.com/aws-backup/latest/devguide/create-cross-account-backup.html",
  },
  {
    claim: "the stack policy refuses a replacement",
    how: "change a table's partition key: `npx cdk deploy countinghouse-<name>-data -c stage=<name>` must fail",
    page: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html",
  },
  {
    claim: "`kms:ViaService` ends with `amazonaws.com` in China too",
    how: "before anybody uses a stage in `cn-*` with `encryption.keyArn`: a request that needs a record, and `npm run ops -- send`",
    page: "https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service",
  },
  {
    claim: "a deployment fails for a producer that does not exist",
    how: "name such a role in `ingest.producers`: `npx cdk deploy countinghouse-<name>-data -c stage=<name>`",
    page: "https://github.com/aws/aws-cdk/issues/15602",
  },
  {
    claim: "CodeDeploy releases after an alias was moved by hand",
    how: "with `release.shift`, take a release back by hand (docs/deployment.md), then deploy a change",
    page: "https://github.com/terraform-aws-modules/terraform-aws-lambda/issues/82",
  },
  {
    claim: "the access log stays JSON for a client certificate with a backslash in its name",
    how: `a request with a certificate made with \`-subj "/O=Acme, Inc./CN=test"\`; \`aws logs filter-log-events --log-group-name <access log> --filter-pattern '{ $.clientCertSubject = "*Acme*" }'\` must find it`,
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html",
  },
  {
    claim: "a vault whose lock is final takes other changes",
    how: "after `lock.graceDays`: `npx cdk deploy countinghouse-<name>-data -c stage=<name> --tags test=1`",
    page: "https://docs.aws.amazon.com/aws-backup/latest/devguide/API_PutBackupVaultLockConfiguration.html",
  },
  {
    claim: "Scheduler calls with a role that trusts one group, and under the stage's key",
    how: "with `encryption.keyArn`, after 20 minutes `aws cloudwatch describe-alarm-history --alarm-name countinghouse-<name>-uncalled-report-expiry --history-item-type StateUpdate` shows `OK`, and no `ALARM` before",
    page: "https://docs.aws.amazon.com/scheduler/latest/UserGuide/encryption-rest.html",
  },
  {
    claim: "a missed call leaves a message in a queue under the stage's key",
    how: "with `encryption.keyArn`, take `lambda:InvokeFunction` from the schedules' role for ten minutes; the queue `countinghouse-<name>-missed-calls` must have a message",
    page: "https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html",
  },
];

/** The claims on which deployments rest and which nobody has seen in an account, with the commands for a stage. */
export const openClaims = (stageName: string): readonly OpenClaim[] =>
  CLAIMS.map((open) => ({ ...open, how: open.how.replaceAll("<name>", stageName) }));
