import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { type FunctionCode, writeBundle } from "./build-bundles.ts";
import { projectRoot } from "./bundling-options.ts";

/**
 * The code of a function for the CDK, which names it by a digest of what was built. The CDK's own construct for Node.js
 * does the same through a shell and npx, which takes seconds for all functions together.
 */
export const bundledCode = (code: FunctionCode): Code =>
  Code.fromAsset(projectRoot, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK wants an image, and a command that tells one bundle from the others.
      image: DockerImage.fromRegistry("none"),
      command: [code.entry, ...code.replaced],
      local: {
        tryBundle: (directory) => {
          writeBundle(code, directory);
          return true;
        },
      },
    },
  });
