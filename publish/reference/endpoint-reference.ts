import type { ErrorCode } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import type { JsonSchema } from "./json-schema.ts";

/** What the reference says of a parameter or a header beside its rule. */
export interface ParameterText extends JsonSchema {
  readonly text: string;
  readonly example: string | readonly string[];
}

interface HeaderText extends ParameterText {
  readonly isRequired: boolean;
}

/** The names of a contract's parameters. */
type ParameterNames<Contract extends EndpointContract> =
  | keyof Contract["path"]["_zod"]["output"]
  | keyof Contract["query"]["shape"];

/** All that the reference says of an endpoint and its contract does not. Every parameter must have a text. */
export interface EndpointReference<Contract extends EndpointContract = EndpointContract> {
  readonly contract: Contract;
  readonly tag: Tag;
  readonly title: string;
  /** Paragraphs in Markdown. */
  readonly text: readonly string[];
  readonly parameters: Readonly<Record<ParameterNames<Contract> & string, ParameterText>>;
  /** Request headers beside the credentials. */
  readonly headers: Readonly<Record<string, HeaderText>>;
  readonly success: {
    readonly text: string;
    /** Names a schema of `schemas.ts`. */
    readonly schema: string;
    /** Response headers beside those of every answer, and what each means. */
    readonly headers: Readonly<Record<string, string>>;
  };
  /** What a 304 means; absent where there is none. */
  readonly notModified?: string;
  /** Every code that the endpoint can answer with. */
  readonly codes: readonly ErrorCode[];
  /** What a request costs of the limit. */
  readonly cost: string;
}

/** The codes that every endpoint can answer with: those of its chain, and of a store that fails. */
export const codesOfEvery = [
  "invalid_credentials",
  "rate_limited",
  "internal_error",
  "service_disabled",
  "temporarily_unavailable",
] as const satisfies readonly ErrorCode[];

/** The four interfaces, as the reference groups them. */
export const tags = {
  "Business accounts":
    "Transactions of one business. Credential: an access token with the scope `transactions.read`.",
  "Wallet passes":
    "The latest state of a pass, for the wallet service that polls it. Credentials: a client certificate, a detached JWS, or an access token with the scope `passes.read`.",
  Exchange: "All trades of a market. Credential: a signed request with the scope `trades.read`.",
  Ramp: "Sell orders of one partner. Credential: an API key.",
} as const;

export type Tag = keyof typeof tags;

/** An endpoint's reference, checked to describe each of its contract's parameters. */
export const describeEndpoint = <Contract extends EndpointContract>(
  reference: EndpointReference<Contract>,
): EndpointReference<Contract> => reference;
