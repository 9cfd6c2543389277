import { Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { upkeepEnvironmentOf } from "../environment.ts";
import type { Stage } from "../stage.ts";
import { upkeep } from "../upkeep.ts";
import { ServiceFunction } from "./service-function.ts";
import { truststoreBucketName } from "./truststore-bucket.ts";
import { UpkeepSchedules } from "./upkeep-schedules.ts";

/** Two fetches of key sets, five reads of switches and a scan of some ten thousand credentials take a few seconds. */
const TIMEOUT_SECONDS = 60;

/**
 * The object that holds the truststore: its address, and the permission to read it. The permission is for every object of
 * the bucket and every version, because the role changes before the function does, and stays when a version of the function
 * from before another key or version of the object is set back to.
 */
interface Truststore {
  readonly url: string;
  readonly statement: PolicyStatement;
}

/**
 * The function that does the upkeep, and the schedules that call it. A schedule names its job in the event. Lambda calls
 * again twice when a run fails, and the next run does all that one before has missed.
 */
export class UpkeepFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, stage: Stage) {
    const truststore = truststoreOf(scope, stage);
    super(scope, id, stage, {
      ...upkeep,
      description: "Keeps the issuers' keys, and reports switches and what expires",
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: upkeepEnvironmentOf(stage, truststore?.url),
      statements: truststore === undefined ? [] : [truststore.statement],
    });
    new UpkeepSchedules(this, "Schedules", { stage, live: this.live });
  }
}

/** The characters that S3 wants encoded and `encodeURIComponent` leaves as they are. */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function truststoreOf(scope: Construct, { name, domains }: Stage): Truststore | undefined {
  if (domains?.mutualTls === undefined) return undefined;
  const { truststoreKey: key, truststoreVersion: version } = domains.mutualTls;
  const stack = Stack.of(scope);
  const bucket = truststoreBucketName(scope, name);
  const path = key.split("/").map(encoded).join("/");
  const query = version === undefined ? "" : `?versionId=${encodeURIComponent(version)}`;
  return {
    url: `https://${bucket}.s3.${stack.region}.${stack.urlSuffix}/${path}${query}`,
    statement: new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ["s3:GetObject", "s3:GetObjectVersion"],
      resources: [
        stack.formatArn({ service: "s3", region: "", account: "", resource: bucket, resourceName: "*" }),
      ],
    }),
  };
}
