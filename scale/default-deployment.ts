import { readStage, stageFileOf } from "../infra/stage.ts";
import { usualAccount } from "./quotas.ts";
import type { Deployment } from "./walls.ts";

/** The seed of the documents. */
export const SEED = 1;

/** A stage with default settings in an account with the usual quotas. */
export const defaultDeployment = (): Deployment => ({
  stage: readStage(stageFileOf(undefined, "example")),
  account: usualAccount,
});
