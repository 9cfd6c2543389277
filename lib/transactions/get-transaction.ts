import { Failure } from "../errors.ts";
import type { MakePlan } from "../http/plan.ts";
import { type getTransaction, listTransactions } from "./contract.ts";
import type { TransactionStore } from "./transaction-store.ts";

/** When the lookup by `id_type` was deprecated and when it ends (ISO 8601), and the public base path of the API. */
export interface IdTypeLifecycle {
  readonly basePath: string;
  readonly deprecatedAt: string;
  readonly sunsetAt: string;
}

/** Plans `GET /transaction/{id}`. A transaction of another business is a 404, like one that does not exist. */
export function planGetTransaction(
  transactions: Pick<TransactionStore, "get" | "getNewestByRequestId">,
  lifecycle: IdTypeLifecycle,
): MakePlan<typeof getTransaction> {
  const notice = deprecationNotice(lifecycle);
  return async ({ path, query, principal }) => {
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

/** RFC 9745 (`Deprecation`), RFC 8594 (`Sunset`), RFC 5829 (`successor-version`). */
function deprecationNotice({ basePath, deprecatedAt, sunsetAt }: IdTypeLifecycle): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}`,
    Sunset: new Date(sunsetAt).toUTCString(),
    Link: `<${basePath}${listTransactions.route}>; rel="successor-version"`,
  };
}
