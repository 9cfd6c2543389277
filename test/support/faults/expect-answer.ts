import { expect } from "vitest";
import { endpoints } from "../../../infra/endpoints.ts";
import { PLANTED } from "./acts.ts";
import type { FaultyAnswer, More } from "./ask-endpoint.ts";
import { type EndpointName, endpointNames } from "./endpoint-names.ts";
import type { FaultyStack } from "./faulty-stack.ts";
import { ANSWERED_MS, type Cells, type Outcome, type OutcomeName, outcomes } from "./outcomes.ts";

/** The answers of all endpoints at one moment. */
export type Answers = Readonly<Record<EndpointName, FaultyAnswer>>;

/** Asks one endpoint after the other, so that none makes another one late on a busy machine. */
export async function askAll(
  stack: FaultyStack,
  moreFor?: (endpoint: EndpointName) => Promise<More>,
): Promise<Answers> {
  const answers: [EndpointName, FaultyAnswer][] = [];
  for (const name of endpointNames) answers.push([name, await stack.ask(name, await moreFor?.(name))]);
  return Object.fromEntries(answers) as unknown as Answers;
}

/** Asks every endpoint at the same time, for a fault under which they do little but wait. */
export async function askTogether(stack: FaultyStack): Promise<Answers> {
  const answers = await Promise.all(
    endpointNames.map(async (name) => [name, await stack.ask(name)] as const),
  );
  return Object.fromEntries(answers) as unknown as Answers;
}

/** The answers are those of the table, with their headers, lines and metrics, and came in time. */
export function expectAnswers(answers: Answers, cells: Cells, sound: Answers): void {
  const seen = Object.fromEntries(endpointNames.map((name) => [name, shownOf(answers[name], sound[name])]));
  const wanted = Object.fromEntries(endpointNames.map((name) => [name, wantedOf(name, cells[name])]));
  const told = endpointNames.flatMap((name) => answers[name].lines).filter((line) => "fault" in line);
  expect(seen, JSON.stringify(told)).toEqual(wanted);
  for (const name of endpointNames) {
    expectLines(answers[name], outcomes[cells[name]]);
    expectWork(name, answers[name], sound[name]);
  }
}

/** The most attempts at a call. */
const ATTEMPTS = 3;
/** A line of each of: the limit, the issuer, the request. */
const LINES_MAX = 3;

/**
 * A request does little more than when nothing is wrong: it repeats each of its calls, reads each answer once, and the
 * first fault of an environment reads the source map.
 */
function expectWork(name: EndpointName, { work }: FaultyAnswer, { work: usual }: FaultyAnswer): void {
  if (work === undefined || usual === undefined) return;
  const told = `${name}: ${JSON.stringify({ work, usual })}`;
  expect(work.files, told).toEqual([...new Set(work.files)]);
  expect(work.calls, told).toBeLessThanOrEqual(ATTEMPTS * usual.calls);
  expect(work.texts, told).toBeLessThanOrEqual(usual.texts + work.calls + work.files.length);
  expect(work.lines, told).toBeLessThanOrEqual(LINES_MAX);
}

/** What a caller sees of an answer. */
function shownOf({ status, headers, body }: FaultyAnswer, sound: FaultyAnswer): object {
  const { code, retry_after_ms: retryAfterMs, message } = status < 400 ? {} : JSON.parse(body);
  return {
    status,
    code,
    retryAfterMs,
    retryAfter: headers.get("retry-after"),
    isOwn: headers.has("request-id"),
    isAsEver: status !== 200 || recordsIn(body) === recordsIn(sound.body),
    tells: [message, body].some((text) => text?.includes(PLANTED)),
  };
}

/** The records of an answer as text. Beside the trades of a page stands a cursor, which is another one each time. */
const recordsIn = (body: string): string => /"data":\[.*\]/.exec(body)?.[0] ?? body;

function wantedOf(name: EndpointName, outcome: OutcomeName): object {
  const { status, code, retryAfterMs, isLogged }: Outcome = outcomes[outcome];
  const unit = endpoints.find(({ contract }) => contract.name === name)?.contract.retryAfterUnit;
  const wait = retryAfterMs === undefined || unit === "milliseconds" ? retryAfterMs : retryAfterMs / 1_000;
  return {
    status,
    code,
    retryAfterMs,
    retryAfter: wait === undefined ? null : String(wait),
    isOwn: isLogged,
    isAsEver: true,
    tells: false,
  };
}

/** The function's own line agrees with its answer, and operators are told by the metrics of the table. */
function expectLines(
  { body, status, lines }: FaultyAnswer,
  { isLogged, code, told, alsoTold }: Outcome,
): void {
  const own = lines.filter((line) => "status" in line);
  expect(own).toHaveLength(isLogged ? 1 : 0);
  for (const { duration_ms: durationMs } of own) expect(durationMs).toBeLessThan(ANSWERED_MS);
  if (isLogged)
    expect(own[0]).toMatchObject({
      status,
      level: status >= 500 ? "ERROR" : "INFO",
      Failures: status >= 500 ? 1 : 0,
      ...(code !== undefined && { code, error_id: JSON.parse(body).error_id }),
    });
  for (const metric of [told, alsoTold])
    if (metric !== undefined)
      expect(lines).toContainEqual(expect.objectContaining({ [metric.metric]: 1, level: metric.level }));
}

/** No line so far repeats a credential, or what was sent in place of an answer. */
export function expectNoSecretIn({ lines, credentials }: FaultyStack): void {
  const { business, ramp, passes, exchange } = credentials;
  const secrets = [
    PLANTED,
    business.token.split(".")[2],
    passes.token.split(".")[2],
    ramp.apiKey,
    exchange.apiKey,
    exchange.privateKey.split("\n")[1],
  ];
  const telling = lines.filter((line) =>
    secrets.some((secret) => secret !== undefined && line.includes(secret)),
  );
  expect(telling).toEqual([]);
}
