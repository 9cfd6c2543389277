import recommended from "aws-cdk-lib/recommended-feature-flags.json" with { type: "json" };

/**
 * The CDK's feature flags: all that the pinned version recommends for a new project. They are set here and not in
 * cdk.json, because tests build the app without the command line and must get the same templates. An upgrade of the CDK
 * has to pass the assertions in `test/infra`.
 */
export const featureFlags: Readonly<Record<string, unknown>> = recommended;
