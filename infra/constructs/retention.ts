import { RetentionDays } from "aws-cdk-lib/aws-logs";

const known: ReadonlyMap<number, RetentionDays> = new Map(
  Object.values(RetentionDays)
    .filter((days) => typeof days === "number")
    .map((days) => [days, days]),
);

/** A number of days as the CDK's word for it. Throws for days that the CDK does not know. */
export function retentionOf(days: number): RetentionDays {
  const retention = known.get(days);
  if (retention === undefined) throw new Error(`The CDK knows no retention of ${days} days.`);
  return retention;
}
