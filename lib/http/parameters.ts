import type * as z from "zod/mini";
import { Failure } from "../errors.ts";
import type { EndpointContract } from "./contract.ts";
import { readQuery } from "./query.ts";
import type { HttpRequest } from "./request.ts";

/** The parameters of one request, checked against the endpoint's contract. */
export interface Parameters<Contract extends EndpointContract> {
  readonly path: z.infer<Contract["path"]>;
  readonly query: z.infer<Contract["query"]>;
}

/**
 * Checks a request against its endpoint's contract.
 *
 * @throws {Failure} `validation_error` that names the first wrong parameter and what it must be; `not_found` for
 * another method.
 */
export function readParameters<Contract extends EndpointContract>(
  contract: Contract,
  request: HttpRequest,
): Parameters<Contract> {
  requireMethod(contract, request);
  const { repeatable, refusesUnknown = false } = contract;
  const rules = { known: Object.keys(contract.query.shape), repeatable, refusesUnknown };
  return {
    path: checkParameters<Contract["path"]>(contract.path, request.pathParameters),
    query: checkParameters<Contract["query"]>(contract.query, readQuery(request.rawQuery, rules)),
  };
}

/** API Gateway routes no other method here. A direct invocation may name another, which is refused, or none. */
function requireMethod({ method, route }: EndpointContract, request: HttpRequest): void {
  if (request.method === method || request.method === "") return;
  throw new Failure("not_found", `This endpoint answers only ${method} ${route}.`);
}

/** Checks parameters by their schemas. @throws {Failure} `validation_error` that names the first wrong one. */
export function checkParameters<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? "request");
  throw new Failure("validation_error", `${name}: ${issue?.message ?? "is not valid"}.`);
}
