import * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { checkParameters } from "../http/parameters.ts";
import type { MakePlan } from "../http/plan.ts";
import { getTransaction, listTransactions } from "./contract.ts";
import type { TransactionStore } from "./transaction-store.ts";

/** When the lookup by `id_type` was deprecated and when it ends (ISO 8601), and the public base path of the API. */
export interface IdTypeLifecycle {
  readonly basePath: string;
  readonly deprecatedAt: string;
  readonly sunsetAt: string;
}

/** The contract as requests are read: which values `id_type` may have depends on the time, so the plan judges them. */
export const getTransactionAsRead = {
  ...getTransaction,
  query: z.object({ id_type: z.optional(z.string()) }),
} as const;

/**
 * Plans `GET /transaction/{id}`. A transaction of another business is a 404, like one that does not exist. From its end on
 * `id_type` is refused, whatever its value: without it, the request ID would be looked up as an ID.
 */
export function planGetTransaction(
  transactions: Pick<TransactionStore, "get" | "getNewestByRequestId">,
  lifecycle: IdTypeLifecycle,
  clock: Clock,
): MakePlan<typeof getTransactionAsRead> {
  const notice = deprecationNotice(lifecycle);
  const endMs = Date.parse(lifecycle.sunsetAt);
  return async ({ path, query, principal }) => {
    if (query.id_type !== undefined && clock() >= endMs)
      throw new Failure("validation_error", `id_type: ended on ${notice.Sunset}; ${SUCCESSOR}`, {
        headers: notice,
      });
    checkParameters(getTransaction.query, query);
    const [lookUp, headers] =
      query.id_type === undefined ? (["get", {}] as const) : (["getNewestByRequestId", notice] as const);
    return {
      cost: 1,
      answer: async () => {
        const body = await transactions[lookUp](principal.owner, path.id);
        if (body === undefined) throw new Failure("not_found", "There is no such transaction.", { headers });
        return { body, headers };
      },
    };
  };
}

const SUCCESSOR = `use GET ${listTransactions.route} with request_id and from.`;

/** RFC 9745 (`Deprecation`), RFC 8594 (`Sunset`), RFC 5829 (`successor-version`). */
function deprecationNotice({ basePath, deprecatedAt, sunsetAt }: IdTypeLifecycle) {
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}`,
    Sunset: new Date(sunsetAt).toUTCString(),
    Link: `<${basePath}${listTransactions.route}>; rel="successor-version"`,
  };
}
