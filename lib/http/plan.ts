import type { Principal } from "../principal.ts";
import type { EndpointContract } from "./contract.ts";
import type { Parameters } from "./parameters.ts";
import type { HttpRequest } from "./request.ts";
import type { Answer } from "./respond.ts";

/** A request whose caller is authenticated and has the scope, and whose parameters each passed their checks. */
export interface AdmittedRequest<Contract extends EndpointContract>
  extends Parameters<Contract>,
    Pick<HttpRequest, "headers" | "rawQuery"> {
  readonly principal: Principal;
}

/** The cost of a request, and the way to its answer. */
export interface Plan {
  /** Tokens of the endpoint's limit, from 1 to its `costMax`. */
  readonly cost: number;
  /** Finds the answer. It is called once, and only after the caller was charged. */
  readonly answer: () => Promise<Answer>;
}

/**
 * Reads once what a request asks for, and says what it costs. Everything that can be refused without looking for a
 * record is refused here, by a `Failure`, and costs the caller nothing. `answer` finds out whether the record exists.
 */
export type MakePlan<Contract extends EndpointContract> = (
  request: AdmittedRequest<Contract>,
) => Promise<Plan>;
