import { StartError } from "../process/start-error.ts";

/**
 * A part of the synthesized template that the local service cannot imitate. The message names stack, resource and
 * property, because the user has to remove the part or add it to the local gateway.
 */
export class TemplateError extends StartError {
  override readonly name = "TemplateError";
}
