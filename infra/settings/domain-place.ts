import type * as z from "zod/mini";
import type { Domains } from "../domains.ts";
import { partitionOf } from "./partition.ts";

interface Placed {
  readonly name: string;
  readonly account?: string | undefined;
  readonly region?: string | undefined;
  readonly domains?: Domains | undefined;
}

/** What is wrong with the place of a certificate, for each part of it that the stage knows. */
function misplacementsOf(arn: string, { account, region }: Placed): string[] {
  const [, partition, , itsRegion, itsAccount] = arn.split(":");
  const expected =
    region === undefined
      ? []
      : [
          [partition, partitionOf(region), "partition"],
          [itsRegion, region, "region"],
        ];
  if (account !== undefined) expected.push([itsAccount, account, "account"]);
  return expected.flatMap(([is, wanted, what]) =>
    is === wanted ? [] : [`must be of the stage's ${what}, which is ${wanted}`],
  );
}

/** Refuses certificates that API Gateway could not use in the stage's place, before a deployment finds out. */
export const certificatesAreInPlace: z.core.CheckFn<Placed> = ({ value, issues }) => {
  const { open, mutualTls } = value.domains ?? {};
  const certificates = [
    ["open", "certificateArn", open?.certificateArn],
    ["mutualTls", "certificateArn", mutualTls?.certificateArn],
    ["mutualTls", "ownershipVerificationCertificateArn", mutualTls?.ownershipVerificationCertificateArn],
  ] as const;
  for (const [domain, member, arn] of certificates)
    for (const message of arn === undefined ? [] : misplacementsOf(arn, value))
      issues.push({
        code: "custom",
        path: ["domains", domain, member],
        message,
        input: value,
        continue: true,
      });
};

/** What S3 leaves for a stage's name and region beside the words of the bucket's name and the account's 12 digits. */
const BUCKET_ROOM = 63 - "countinghouse--truststore--".length - 12;
/** The length of the longest names of regions, for a stage that does not know its own. */
const REGION_LENGTH = "ap-southeast-1".length;

/** Refuses a stage whose truststore would need a bucket with a longer name than S3 allows. */
export const bucketNameFits: z.core.CheckFn<Placed> = ({ value, issues }) => {
  if (value.domains?.mutualTls === undefined) return;
  const lettersMax = BUCKET_ROOM - (value.region?.length ?? REGION_LENGTH);
  if (value.name.length <= lettersMax) return;
  const message = `must have at most ${lettersMax} letters with domains.mutualTls, because the name of the truststore's bucket has account and region too`;
  issues.push({ code: "custom", path: ["name"], message, input: value, continue: true });
};
