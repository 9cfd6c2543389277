import type { Brand } from "../../lib/brand.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import { readFunctionEntry } from "../log/function-entry.ts";
import type { RequestReport } from "../log/request-line.ts";
import { completeExplanation, explainAnswer, type Heard } from "./explain.ts";
import type { Explanation } from "./explain-route.ts";

/** Answers that are remembered: some thousand, of a few kilobytes each. */
const ANSWERS_MAX = 2_000;

/** Remembers the last answers of the gateway, without secrets and without bodies, so that each can be explained. */
export class History {
  readonly #brand: Brand;
  readonly #answers: RecentMap<string, Explanation>;
  readonly #heard: RecentMap<string, Heard>;
  readonly #aliases: RecentMap<string, string>;
  readonly #max: number;
  #count = 0;

  constructor(brand: Brand, max = ANSWERS_MAX) {
    this.#brand = brand;
    this.#max = max;
    this.#answers = new RecentMap(max);
    this.#heard = new RecentMap(max);
    // Each answer has two ids beside the gateway's.
    this.#aliases = new RecentMap(2 * max);
  }

  /** Remembers an answer. */
  readonly answered = (report: RequestReport): void => {
    const answer = explainAnswer(report, this.#brand);
    this.#answers.set(answer.requestId, answer);
    this.#count += 1;
    for (const alias of [answer.clientRequestId, answer.errorId])
      if (alias !== undefined) this.#aliases.set(alias, answer.requestId);
  };

  /** Takes a line of a function, which may come before its answer or after it. */
  readonly hear = (line: string): void => {
    const entry = readFunctionEntry(line);
    if (entry === undefined) return;
    const { gateway_request_id: requestId, owner, reason } = entry;
    this.#heard.set(requestId, {
      ...(owner !== undefined && { owner }),
      ...(reason !== undefined && { reason }),
    });
  };

  /** How many answers are remembered. */
  get size(): number {
    return Math.min(this.#count, this.#max);
  }

  /** The answer with an id: the gateway's, the `Request-Id`, or the `error_id`. Of several, the last. */
  find(id: string): Explanation | undefined {
    const requestId = this.#aliases.get(id) ?? id;
    const answer = this.#answers.get(requestId);
    return answer === undefined ? undefined : completeExplanation(answer, this.#heard.get(requestId));
  }
}
