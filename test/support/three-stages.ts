import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../local/local-account.ts";
import { disposable, testStage } from "./synthesize.ts";

/** The place of the local store, so that `npm start` could serve these templates. */
const place = { account: LOCAL_ACCOUNT, region: LOCAL_REGION };
const certificate = (name: string) => `arn:aws:acm:${LOCAL_REGION}:${LOCAL_ACCOUNT}:certificate/${name}`;

const earlierKey = `arn:aws:kms:${LOCAL_REGION}:${LOCAL_ACCOUNT}:key/0987dcba-09fe-87dc-65ba-ab0987654321`;

/** Settings that make use of everything that a stage can have. */
export const everySetting = {
  ...place,
  tables: { Trades: "countinghouse-test-Trades-r1" },
  backup: {
    keepDays: 90,
    keyArn: earlierKey,
    lock: { graceDays: 14 },
    copyTo: {
      vaultArn: `arn:aws:backup:${LOCAL_REGION}:999999999999:backup-vault:central`,
      keepDays: 365,
    },
  },
  encryption: {
    keyArn: `arn:aws:kms:${LOCAL_REGION}:${LOCAL_ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab`,
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
    producers: [
      `arn:aws:iam::${LOCAL_ACCOUNT}:role/settlement`,
      "arn:aws:iam::999999999999:role/exchange/feed",
    ],
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

/** The three kinds of stage whose templates every rule has to hold for. */
export const threeStages = {
  "a disposable stage": testStage(disposable),
  "a plain stage": testStage(place),
  "a stage with every setting": testStage(everySetting),
};
