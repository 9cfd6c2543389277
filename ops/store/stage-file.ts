import { join } from "node:path";
import { readStage, type Stage, StageError } from "../../infra/stage.ts";
import { places } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";

/** The settings of a deployed stage, read from infra/stages/, checked as for a deployment. @throws {OperatorError} */
export function readStageFile(stageName: string): Stage {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(stageName)) {
    throw new OperatorError(
      `"${stageName}" is not the name of a stage: give the name of a file under infra/stages/, without .json.`,
    );
  }
  try {
    return readStage(join(places.stages, `${stageName}.json`));
  } catch (error) {
    if (error instanceof StageError) throw new OperatorError(error.message, error);
    throw error;
  }
}
