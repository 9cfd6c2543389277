import { buildAhead } from "./bundling/build-bundles.ts";
import { checkContext, STAGE_KEY } from "./context.ts";
import { endpoints } from "./endpoints.ts";
import { featureFlags } from "./feature-flags.ts";
import { ingest } from "./ingest.ts";
import { readStage, StageError, stageFileOf } from "./stage.ts";
import { upkeep } from "./upkeep.ts";

/**
 * Synthesizes one stage, under the CDK's command line or by itself. `CDK_OUTDIR` names the output directory, and
 * `STAGE_FILE` the stage's file in place of `-c stage=<name>`. `SYNTH_FOR=serving` leaves out what no request needs: the
 * stacks that look after a deployment, and the rule checks, which take ten seconds.
 */
const { STAGE_FILE, SYNTH_FOR, CDK_VALIDATION } = process.env;
const isForServing = SYNTH_FOR === "serving";
// The CDK's command line passes its --no-validation on as CDK_VALIDATION.
const validates = !isForServing && CDK_VALIDATION !== "false";

try {
  // The CDK takes a second to load, and leaves a core to the bundles meanwhile.
  const bundles = buildAhead([...endpoints, upkeep, ingest]);
  bundles.catch(() => {});
  const { App } = await import("aws-cdk-lib");
  const app = new App({
    context: featureFlags,
    builtinCloudFormationValidation: validates,
    analyticsReporting: false,
  });
  checkContext(app.node.getAllContext());
  const stage = readStage(stageFileOf(STAGE_FILE, app.node.tryGetContext(STAGE_KEY)));
  const add = isForServing
    ? await import("./stacks/add-served-stacks.ts").then(({ addServedStacks }) => addServedStacks)
    : await import("./stacks/add-stacks.ts").then(({ addStacks }) => addStacks);
  await bundles;
  add(app, stage);
  if (validates) await import("./validation.ts").then(({ addRuleChecks }) => addRuleChecks(app));
  app.synth();
} catch (error) {
  if (!(error instanceof StageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
