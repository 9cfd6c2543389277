import { expect } from "vitest";
import { endpoints } from "../../../infra/endpoints.ts";
import { PLANTED } from "./acts.ts";
import type { FaultyAnswer, More } from "./ask-endpoint.ts";
import { isLittleMore } from "./faulty-application.ts";
import type { FaultyStack } from "./faulty-stack.ts";
import {
  ANSWERED_MS,
  type Cells,
  type EndpointName,
  endpointNames,
  type Outcome,
  type OutcomeName,
  outcomes,
} from "./outcomes.ts";

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

/** A line of each of: the limit, the issuer, the request. */
const LINES_MAX = 3;

function expectWork(name: EndpointName, { work }: FaultyAnswer, { work: usual }: FaultyAnswer): void {
  if (work === undefined || usual === undefined) return;
  const told = `${name}: ${JSON.stringify({ work, usual })}`;
  expect(isLittleMore(work, usual, { attempts: 3 }), told).toBe(true);
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
  const { status, code, retryAfterMs, isSilent }: Outcome = outcomes[outcome];
  const unit = endpoints.find(({ contract }) => contract.name === name)?.contract.retryAfterUnit;
  const wait = retryAfterMs === undefined || unit === "milliseconds" ? retryAfterMs : retryAfterMs / 1_000;
  return {
    status,
    code,
    retryAfterMs,
    retryAfter: wait === undefined ? null : String(wait),
    isOwn: isSilent !== true,
    isAsEver: true,
    tells: false,
  };
}

/** The function's own line agrees with its answer, and operators are told by the metrics of the table. */
function expectLines({ body, status, lines }: FaultyAnswer, { isSilent, code, told = [] }: Outcome): void {
  const own = lines.filter((line) => "status" in line);
  expect(own).toHaveLength(isSilent === true ? 0 : 1);
  for (const line of own) {
    expect(line.duration_ms).toBeLessThan(ANSWERED_MS);
    expect(line).toMatchObject({
      status,
      level: status >= 500 ? "ERROR" : "INFO",
      Failures: status >= 500 ? 1 : 0,
      ...(code !== undefined && { code, error_id: JSON.parse(body).error_id }),
    });
  }
  for (const { metric, level } of told)
    expect(lines).toContainEqual(expect.objectContaining({ [metric]: 1, level }));
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
  const isTold = (secret?: string): boolean => lines.some((line) => line.includes(secret ?? PLANTED));
  expect(secrets.filter(isTold)).toEqual([]);
}
