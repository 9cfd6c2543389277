import type { ErrorCode } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import type { DemoFile } from "../demo/demo-file.ts";
import type { Word } from "../terminal/shell.ts";
import type { JsonSchema, RecordText } from "./json-schema.ts";

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

/** A request for curl, before it is written for a shell. */
export interface CurlRequest {
  /** Which of several credentials it shows. */
  readonly credential?: string;
  readonly url: string;
  readonly options: readonly Word[];
}

/** What an endpoint answers with when all is well. */
interface Success {
  readonly text: string;
  readonly record: RecordText;
  /** Whether the body is a list of such records. */
  readonly isList?: true;
  /** Response headers beside those of every answer, and what each means. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The name of the schema of an answer. */
export const schemaOf = ({ record, isList }: Success): string => `${record.title}${isList ? "List" : ""}`;

/**
 * All that is said of an endpoint and follows from neither its contract nor its deployment: for the reference, for whom
 * tries the demo, and for tests that need a request. Every parameter must have a text.
 */
export interface EndpointReference<Contract extends EndpointContract = EndpointContract> {
  readonly contract: Contract;
  readonly tag: Tag;
  readonly title: string;
  /** Paragraphs in Markdown. */
  readonly text: readonly string[];
  readonly parameters: Readonly<Record<ParameterNames<Contract> & string, ParameterText>>;
  /** Request headers beside the credentials. */
  readonly headers: Readonly<Record<string, HeaderText>>;
  readonly success: Success;
  /** What a 304 means; absent where there is none. */
  readonly notModified?: string;
  /** Every code that the endpoint can answer with. */
  readonly codes: readonly ErrorCode[];
  /** What a request costs of the limit. */
  readonly cost: string;
  /** Lines to paste, with the demo's credentials and ids. */
  readonly curl: (demo: DemoFile) => readonly CurlRequest[];
  readonly examples: Examples;
}

/** Requests by path and query whose answers the reference shows. */
interface Examples {
  /** The title of each good one. Together they make every call to the store that the endpoint can make. */
  readonly good: Readonly<Record<string, string>>;
  /** One for each code that a good request with another credential, version or clock does not get. */
  readonly refused: Readonly<Partial<Record<ErrorCode, string>>>;
}

/** The codes that every endpoint can answer with: those of its chain, and of a store that fails. */
export const codesOfEvery = [
  "invalid_credentials",
  "rate_limited",
  "internal_error",
  "service_disabled",
  "temporarily_unavailable",
] as const satisfies readonly ErrorCode[];

/** The interfaces, as the reference groups them. */
export const tags = {
  "Business accounts":
    "Transactions of one business. Credential: an access token with the scope `transactions.read`.",
  "Wallet passes":
    "The latest state of a pass, for the wallet service that polls it. Credentials: a client certificate, a detached JWS, or an access token with the scope `passes.read`.",
  Exchange: "All trades of a market. Credential: a signed request with the scope `trades.read`.",
  Ramp: "Sell orders of one partner. Credential: an API key.",
} as const;

export type Tag = keyof typeof tags;

/** An option of curl that sends a header. */
export const header = (text: string): readonly Word[] => ["-H", text];

/** An endpoint's reference, checked to describe each of its contract's parameters. */
export const describeEndpoint = <Contract extends EndpointContract>(
  reference: EndpointReference<Contract>,
): EndpointReference<Contract> => reference;
