import type * as z from "zod/mini";
import type { Principal } from "../principal.ts";
import type { EndpointContract } from "./contract.ts";
import { type Invocation, requireAdmitted } from "./invocation.ts";
import type { HttpRequest } from "./request.ts";

/** What a use case is given: parameters that passed their checks, and who asks. */
export interface Call<Contract extends EndpointContract> {
  readonly path: z.infer<Contract["path"]>;
  readonly query: z.infer<Contract["query"]>;
  readonly principal: Principal;
  readonly request: HttpRequest;
}

/** The call that an invocation has become, once its caller and its parameters passed their checks. */
export function callOf<Contract extends EndpointContract>(invocation: Invocation): Call<Contract> {
  const { principal, parameters } = requireAdmitted(invocation);
  return { ...parameters, principal, request: invocation.request } as Call<Contract>;
}
