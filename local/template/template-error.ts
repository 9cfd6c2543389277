import { StartError } from "../start-error.ts";

/**
 * Something in the synthesized template that this machine cannot stand in for. The message says which stack, resource
 * and property, because the remedy is to teach the local gateway or to leave the thing out.
 */
export class TemplateError extends StartError {
  override readonly name = "TemplateError";
}
