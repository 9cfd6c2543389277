import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { Call } from "../http/call.ts";
import type { Answer } from "../http/respond.ts";
import { utcText } from "../instant.ts";
import { type getTransaction, listTransactions as listContract } from "./contract.ts";
import { writeCursor } from "./cursor.ts";
import { listSearch, listTransactions } from "./list-transactions.ts";
import type { TransactionStore } from "./transaction-store.ts";

/** When the lookup by `id_type` was deprecated and when it ends, as ISO 8601 instants, and where clients see the API. */
export interface IdTypeLifecycle {
  readonly basePath: string;
  readonly deprecatedAt: string;
  readonly sunsetAt: string;
}

/** Answers `GET /transaction/{id}`. One of another business is a 404 like one that does not exist. */
export function answerTransaction(store: TransactionStore, lifecycle: IdTypeLifecycle) {
  const notice = deprecationNotice(lifecycle);
  return async ({ path, query, principal }: Call<typeof getTransaction>): Promise<Answer> => {
    const isByRequest = query.id_type !== undefined;
    const lookUp = isByRequest ? "newestByRequestId" : "get";
    const body = await store[lookUp](principal.owner, path.id);
    if (body === undefined)
      throw new Failure("not_found", "There is no such transaction.", { headers: isByRequest ? notice : {} });
    return { body, headers: isByRequest ? notice : {} };
  };
}

type ListCall = Call<typeof listContract>;

/**
 * Answers `GET /transactions`: a bare array, and a `Link` to the next page while there is one (RFC 8288). Its window and
 * its cursor are judged before the caller is charged.
 */
export function answerTransactions(store: TransactionStore, clock: Clock) {
  const searchOf = ({ query, principal }: ListCall) => listSearch(principal.owner, query, clock);
  return {
    precheck: async (call: ListCall): Promise<void> => void searchOf(call),
    answer: async (call: ListCall): Promise<Answer> => {
      const { docs, next, to } = await listTransactions(store, searchOf(call));
      const body = `[${docs.join(",")}]`;
      if (next === undefined) return { body };
      const parameters = nextParameters(call.request.rawQuery, utcText(to), writeCursor(next));
      return { body, headers: { Link: `<?${parameters}>; rel="next"` } };
    },
  };
}

/** The caller's own parameters, with the end of the window pinned: "now" would be another instant on the next page. */
function nextParameters(rawQuery: string, to: string, cursor: string): string {
  const parameters = new URLSearchParams(rawQuery);
  if (!parameters.has("to")) parameters.set("to", to);
  parameters.set("cursor", cursor);
  return parameters.toString();
}

/** RFC 9745 (`Deprecation`), RFC 8594 (`Sunset`), RFC 5829 (`successor-version`). */
function deprecationNotice({ basePath, deprecatedAt, sunsetAt }: IdTypeLifecycle): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}`,
    Sunset: new Date(sunsetAt).toUTCString(),
    Link: `<${basePath}${listContract.route}>; rel="successor-version"`,
  };
}
