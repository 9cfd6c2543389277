import type { Brand } from "../../lib/brand.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import { type RequestReport, readFunctionEntry } from "../log/request-line.ts";
import { completeExplanation, explainAnswer, type Heard } from "./explain.ts";
import { type Explanation, explainAnswer as explainRoute } from "./explain-route.ts";

/** Answers that are remembered: some thousand, of a few kilobytes each. */
const ANSWERS_MAX = 2_000;

/** The gateway's id in a function's line. An id has no character that JSON would escape. */
const GATEWAYS_ID = /^\{.*"gateway_request_id":"([^"\\]+)"/s;
/** Only the line about a whole request has its status. */
const STATUS = /"status":\d/;

/** What a function's line says of its request; undefined for another line. */
function heardIn(line: string | undefined): Heard | undefined {
  const entry = line === undefined ? undefined : readFunctionEntry(line);
  if (entry === undefined) return undefined;
  const { owner, reason } = entry;
  return { ...(owner !== undefined && { owner }), ...(reason !== undefined && { reason }) };
}

/** Remembers the last answers of the gateway, without secrets and without bodies, so that each can be explained. */
export class History {
  readonly #brand: Brand;
  readonly #answers: RecentMap<string, Explanation>;
  /** Lines of functions, by the gateway's id. A line is read when somebody asks for its request. */
  readonly #heard: RecentMap<string, string>;
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
    const requestId = GATEWAYS_ID.exec(line)?.[1];
    if (requestId !== undefined && STATUS.test(line)) this.#heard.set(requestId, line);
  };

  /** How many answers are remembered. */
  get size(): number {
    return Math.min(this.#count, this.#max);
  }

  /** The answer with an id: the gateway's, the `Request-Id`, or the `error_id`. Of several, the last. */
  find(id: string): Explanation | undefined {
    const requestId = this.#aliases.get(id) ?? id;
    const answer = this.#answers.get(requestId);
    return answer === undefined
      ? undefined
      : completeExplanation(answer, heardIn(this.#heard.get(requestId)));
  }
}

/** The route of the control channel that explains remembered answers. */
export const explanationsOf = (history: History): ServedRoute =>
  serveRoute(explainRoute, ({ id }) => {
    const explanation = history.find(id);
    return { remembered: history.size, ...(explanation !== undefined && { explanation }) };
  });
