import recommended from "aws-cdk-lib/recommended-feature-flags.json" with { type: "json" };

/**
 * Behaviour of the CDK that this project is written for: all that its pinned version recommends for a new project. It
 * stands here and not in cdk.json because a test builds the app without the command line, and must get the same
 * templates. The assertions in `test/infra` are what an upgrade of the CDK has to pass.
 */
export const featureFlags: Readonly<Record<string, unknown>> = recommended;
