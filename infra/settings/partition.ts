/** AWS's partitions that are not `aws`, by the beginning of their regions' names. */
const PARTITIONS: readonly (readonly [prefix: string, partition: string])[] = [
  ["cn-", "aws-cn"],
  ["us-gov-", "aws-us-gov"],
  ["us-isob-", "aws-iso-b"],
  ["us-isof-", "aws-iso-f"],
  ["eu-isoe-", "aws-iso-e"],
  ["us-iso-", "aws-iso"],
  ["eusc-", "aws-eusc"],
];

/** The partition of a region, which every ARN of the region has after `arn:`. */
export const partitionOf = (region: string): string =>
  PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? "aws";
