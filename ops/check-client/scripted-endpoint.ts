import type { Clock } from "../../lib/clock.ts";
import { Failure, unavailable } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { type EndpointHandler, endpoint } from "../../lib/http/endpoint.ts";
import type { Limiter } from "../../lib/http/limit.ts";
import { type Parameters, readParameters } from "../../lib/http/parameters.ts";
import type { MakePlan } from "../../lib/http/plan.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { type Authenticate, invalidCredentials, type Principal } from "../../lib/principal.ts";
import { policyHeader, rateLimitHeaders } from "../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { inTomorrow, type TomorrowScene, textsIn, tomorrowScenes } from "../../local/tomorrow/scenes.ts";
import type { Cue, Step } from "./play.ts";
import { versionOf } from "./sample-records.ts";
import type { InterfaceName, Manner } from "./scene.ts";
import type { Given } from "./visit.ts";

/** The part of a cue that the request itself says. */
export type Question = Pick<Cue, "subject" | "cursor">;

/** An endpoint of the service whose store, limiter, switch and credentials follow a script. */
export interface ScriptedEndpoint {
  readonly contract: EndpointContract;
  readonly interfaceName: InterfaceName;
  readonly manner: Manner;
  /** What a request asks for. @throws {Failure} as the service does, when it refuses the request by itself. */
  read(request: HttpRequest): Promise<Question>;
  /** The handler that answers as the step says, or refuses as the service itself does. It notes what it gives. */
  handler(what: Step | Failure, given: Given): EndpointHandler;
}

export interface EndpointScript<Contract extends EndpointContract>
  extends Pick<ScriptedEndpoint, "interfaceName" | "manner"> {
  readonly contract: Contract;
  readonly authenticate: Authenticate<HttpRequest>;
  readonly clock: Clock;
  /** @throws {Failure} for a cursor that is not ours. */
  questionOf(parameters: Parameters<Contract>, request: HttpRequest): Question;
  /** The real plan over records of the script. */
  plan(step: Step): MakePlan<Contract>;
}

/** Puts the script in the places of the store, the limiter, the switch and the credentials. */
export function scriptEndpoint<Contract extends EndpointContract>(
  script: EndpointScript<Contract>,
): ScriptedEndpoint {
  const { contract, interfaceName, manner, authenticate, clock } = script;
  return {
    contract,
    interfaceName,
    manner,
    read: async (request) => {
      await authenticate(request);
      return script.questionOf(readParameters(contract, request), request);
    },
    handler: (what, given) => {
      const step = what instanceof Failure ? undefined : what;
      return endpoint<Contract>({
        contract,
        switches: {
          get: async () => {
            throwIf(switchFailure(step));
            return { on: true };
          },
        },
        authenticate: async () => {
          throwIf(what instanceof Failure ? what : undefined);
          return principalFor(contract, step);
        },
        plan: step === undefined ? unplanned : troubled(script.plan(step), step, contract.name, given),
        limiter: limiterOf(contract, clock, step),
        clock,
        log: () => {},
      });
    },
  };
}

function throwIf(failure: Failure | undefined): void {
  if (failure !== undefined) throw failure;
}

const unplanned = async (): Promise<never> => {
  throw new Error("A refused request has no plan.");
};

function switchFailure(step: Step | undefined): Failure | undefined {
  const { trouble } = step ?? {};
  if (trouble?.kind !== "disabled") return undefined;
  return new Failure("service_disabled", "The endpoint is off.", { retryAfterMs: trouble.waitMs });
}

/** @throws {Failure} where the scene refuses the credentials. */
function principalFor({ scope }: EndpointContract, step: Step | undefined): Principal {
  const answer = step?.trouble === undefined ? step?.answer : undefined;
  if (answer === "refused") throw invalidCredentials("the scene refuses them");
  return { owner: "checked-client", scopes: answer === "forbidden" || scope === undefined ? [] : [scope] };
}

/** The headers of a deprecation and of an end to come (RFC 9745, RFC 8594). */
const NOTICE = { Deprecation: "@1782864000", Sunset: "Tue, 01 Jul 2036 00:00:00 GMT" } as const;

/** The plan, with the trouble or the ending of the step in place of its answer. */
function troubled<Contract extends EndpointContract>(
  plan: MakePlan<Contract>,
  step: Step,
  name: string,
  given: Given,
): MakePlan<Contract> {
  return async (request) => {
    const { cost, answer } = await plan(request);
    return {
      cost,
      answer: async () => {
        throwIf(answerFailure(step));
        const found = await answer();
        if (!("body" in found)) return found;
        const next = nextIn(found.headers?.Link, found.body);
        if (next !== undefined) given.next = next;
        const headers = { ...found.headers, ...(step.answer === "deprecated" && NOTICE) };
        return { ...found, headers, body: changed(found.body, step, name, given) };
      },
    };
  };
}

/** The next page, as the link of an answer names it, or its body. */
const nextIn = (link = "", body = ""): string | undefined =>
  /^<\?([^>]*)>/.exec(link)?.[1] ?? /"next_cursor":"([^"]*)"/.exec(body)?.[1];

/** Members that tell records apart, or have an amount, and are never longer. */
const UNCHANGED = ["id", "data[].tid", "semantics.points"];

/** A body with the changes of its step. Notes which of them it has, and what the client can show of it. */
function changed(body: string, step: Step, name: string, given: Given): string {
  let text = body;
  const made = changesOf(step, name).filter((change) => {
    if (change.kind === "empty-page") return step.answer === "empty-page";
    const before = text;
    text = inTomorrow(text, change);
    return text !== before;
  });
  given.changes = made;
  const longest = tomorrowScenes(name).flatMap(({ size, member = "" }) => (size === undefined ? [] : member));
  const found = Object.entries(textsIn(text, [...UNCHANGED, ...longest]));
  given.texts = Object.fromEntries(found.map(([member, texts]) => [member, texts.map(plain)]));
  return text;
}

/** What is changed at a step: what its scene says, or else what its answer, or the last one that was not the same, says. */
function changesOf(step: Step, name: string): readonly TomorrowScene[] {
  const { answer } = step.scene.stations[versionOf(step)] ?? step;
  return step.scene.changes ?? tomorrowScenes(name).filter(({ kind }) => kind === answer);
}

/** The text of a string or a number, without its quotes or sign. */
const plain = (value: string): string => value.replaceAll(/^"|^-|"$/g, "");

function answerFailure({ trouble, answer }: Step): Failure | undefined {
  if (trouble?.kind === "unavailable")
    return unavailable("The store fails.", { retryAfterMs: trouble.waitMs });
  if (answer === "missing") return new Failure("not_found", "There is no such record.");
  return answer === "gone" ? new Failure("gone", "The record is gone for good.") : undefined;
}

/** A limiter whose buckets are always full, but where the step says that they are used up. */
function limiterOf({ limit }: EndpointContract, clock: Clock, step: Step | undefined): Limiter {
  const buckets = bucketsOf(limit.defaultBuckets, limit.costMax);
  const waitMs = step?.trouble?.kind === "limited" ? step.trouble.waitMs : 0;
  return {
    charge: async () => ({ waitMs, headers: rateLimitHeaders(buckets, {}, clock(), waitMs) }),
    headersOf: () => policyHeader(buckets),
  };
}
