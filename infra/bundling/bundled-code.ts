import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";
import { bundlingOptions, projectRoot } from "./bundling-options.ts";
import type { ReplacedModule } from "./stand-ins.ts";

/**
 * The code of a function for the CDK, which names it by a digest of what was built. The CDK's own construct for Node.js
 * does the same through a shell and npx, which takes seconds for all functions together.
 *
 * @param entry the function's file, from the top of the project.
 */
export const bundledCode = (entry: string, replaced: readonly ReplacedModule[]): Code =>
  Code.fromAsset(projectRoot, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK wants an image, and a command that tells one bundle from the others.
      image: DockerImage.fromRegistry("none"),
      command: [entry, ...replaced],
      local: {
        tryBundle: (directory) => {
          buildSync(bundlingOptions(entry, replaced, directory));
          return true;
        },
      },
    },
  });
