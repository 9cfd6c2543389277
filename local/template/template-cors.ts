import { ownMember } from "../../lib/own-member.ts";
import { TemplateError } from "./template-error.ts";

/** The CORS configuration of an HTTP API. */
export interface CorsRules {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposedHeaders: readonly string[];
  readonly maxAgeS: number | undefined;
  readonly credentials: boolean;
}

const KNOWN_PROPERTIES: ReadonlySet<string> = new Set([
  "AllowCredentials",
  "AllowHeaders",
  "AllowMethods",
  "AllowOrigins",
  "ExposeHeaders",
  "MaxAge",
]);

/** Reads a `CorsConfiguration`. Throws a `TemplateError` for an unknown property. */
export function corsRulesOf(configuration: Readonly<Record<string, unknown>>, at: string): CorsRules {
  const strange = Object.keys(configuration).find((property) => !KNOWN_PROPERTIES.has(property));
  if (strange !== undefined)
    throw new TemplateError(`${at}: the local gateway does not know CorsConfiguration.${strange}.`);
  const list = (property: string) => (ownMember(configuration, property) ?? []) as string[];
  const maxAge = configuration.MaxAge;
  return {
    origins: list("AllowOrigins"),
    methods: list("AllowMethods"),
    headers: list("AllowHeaders"),
    exposedHeaders: list("ExposeHeaders"),
    maxAgeS: typeof maxAge === "number" ? maxAge : undefined,
    credentials: configuration.AllowCredentials === true,
  };
}
