import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../local/store/local-account.ts";
import { disposable, testStage } from "./test-stage.ts";

/** The place of the local store, so that `npm start` could serve these templates. */
const place = { account: LOCAL_ACCOUNT, region: LOCAL_REGION };

/** Settings that make use of everything that a stage can have, in a region. */
function everySettingIn(region: string, partition = "aws") {
  const arnOf = (service: string, resource: string, account = LOCAL_ACCOUNT) =>
    `arn:${partition}:${service}:${service === "iam" ? "" : region}:${account}:${resource}`;
  const certificate = (name: string) => arnOf("acm", `certificate/${name}`);
  const earlierKey = arnOf("kms", "key/0987dcba-09fe-87dc-65ba-ab0987654321");
  return {
    account: LOCAL_ACCOUNT,
    region,
    tables: { Trades: "countinghouse-test-Trades-r1" },
    backup: {
      keepDays: 90,
      keyArn: earlierKey,
      lock: { graceDays: 14 },
      copyTo: { vaultArn: arnOf("backup", "backup-vault:central", "999999999999"), keepDays: 365 },
    },
    encryption: {
      keyArn: arnOf("kms", "key/1234abcd-12ab-34cd-56ef-1234567890ab"),
      otherKeyArns: [earlierKey],
    },
    brand: { basePath: "/api" },
    corsOrigins: ["https://app.example.com"],
    domains: {
      open: { name: "api.test.example", certificateArn: certificate("a1") },
      mutualTls: {
        name: "mtls.test.example",
        certificateArn: certificate("b2"),
        ownershipVerificationCertificateArn: certificate("c3"),
        truststoreVersion: "v1",
      },
    },
    ingest: {
      producers: [arnOf("iam", "role/settlement"), arnOf("iam", "role/exchange/feed", "999999999999")],
    },
    throttle: { owners: 5, routes: { "get-pass": { requestsPerSecond: 50, burst: 100 } } },
    accessLogRetentionDays: 7,
    release: { shift: "Canary10Percent5Minutes" },
    alarms: {
      notify: ["mailto:team@test.example"],
      page: ["https://pager.test.example/in"],
      runbook: "https://git.test.example/countinghouse/docs/runbook.md",
    },
    functions: { tracing: true, systemLogLevel: "WARN", reservedConcurrency: { "list-trades": 20 } },
  };
}

export const everySetting = everySettingIn(LOCAL_REGION);

/** The settings that only change numbers in a template. */
export const numbers = {
  rateLimits: { ramp: [{ name: "ramp", burst: 60, refillTokens: 1, refillWindowMs: 1_000 }] },
  signature: { ageMsMax: 20_000, aheadMsMax: 2_000 },
  logRetentionDays: 30,
};

const { tables, backup, ingest, domains } = everySetting;

/** The three kinds of stage whose templates every rule has to hold for. */
export const threeStages = {
  "a disposable stage": testStage(disposable),
  "a plain stage": testStage(place),
  "a stage with every setting": testStage(everySetting),
};

/** The stages that every judge of templates sees: also in AWS's other partitions, and when settings were taken away. */
export const judgedStages = {
  ...threeStages,
  "a stage with every setting in China": testStage({
    ...everySettingIn("cn-north-1", "aws-cn"),
    ...numbers,
  }),
  "a stage with every setting in GovCloud": testStage({
    ...everySettingIn("us-gov-west-1", "aws-us-gov"),
    ...numbers,
  }),
  "a stage that had every setting, and keeps what cannot be taken away": testStage({
    ...place,
    tables,
    backup: { keepDays: backup.keepDays, keyArn: backup.keyArn, lock: backup.lock },
    ingest,
    domains,
  }),
};
