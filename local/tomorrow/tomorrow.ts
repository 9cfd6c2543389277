import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { encodeBody } from "../../lib/http/compression.ts";
import { endpointReferences } from "../endpoints/endpoints.ts";
import type { HandlerOptions, Invoke } from "../gateway/request-handler.ts";
import type { GatewayResponse } from "../gateway/response.ts";
import { LONGER, today } from "../records/longer-id.ts";
import { emptyPages } from "./empty-page.ts";
import { inTomorrow, type TomorrowScene, tomorrowScenes } from "./scenes.ts";

const DAY_MS = 86_400_000;

type Interfere = NonNullable<HandlerOptions["interfere"]>;

/** The scenes of an endpoint, and the one whose turn it is. */
interface Turn {
  readonly name: string;
  readonly scenes: readonly TomorrowScene[];
  next: number;
}

/**
 * Serves what the contracts allow to come. The functions answer, from their own records, and each good answer meets the
 * next scene of its endpoint that it can show.
 */
export class Tomorrow {
  readonly #clock: Clock;
  readonly #turns: ReadonlyMap<string, Turn> = new Map(
    endpointReferences.map(({ contract: { name, method, route } }) => [
      `${method} ${route}`,
      { name, scenes: mixed(tomorrowScenes(name)), next: 0 },
    ]),
  );

  /** The polls whose last answer was a 304. */
  readonly #kept = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Variables by which the functions are a day past their Sunset, without another clock than their callers'. */
  get variables(): Readonly<Record<string, string>> {
    return { ID_TYPE_SUNSET_AT: new Date(Math.min(this.#clock(), systemClock()) - DAY_MS).toISOString() };
  }

  /** Begins with the first scenes again. */
  restart(): void {
    for (const turn of this.#turns.values()) turn.next = 0;
    this.#kept.clear();
  }

  /** Lets requests meet a scene after whatever else they meet. */
  around(interfere: Interfere): Interfere {
    return (route) => {
      const turn = this.#turns.get(route.routeKey);
      const meet = interfere(route);
      if (turn === undefined) return meet;
      return async (invoke, event) => {
        const asked = asToday(this.#everySecond(event));
        const invokeAsked: Invoke = (pool) => invoke(pool, asked);
        const answer = await (meet?.(invokeAsked, asked) ?? invokeAsked());
        if (answer.statusCode === NOT_MODIFIED) this.#kept.add(pollOf(event));
        return compressed(event, this.#inScene(turn, asked, asAsked(event, answer)));
      };
    };
  }

  /** A request without its condition after a 304 to the same, so that a client that polls meets the next scene. */
  #everySecond(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
    if (!this.#kept.delete(pollOf(event))) return event;
    const { [CONDITION]: _, ...headers } = event.headers;
    return { ...event, headers };
  }

  #inScene(turn: Turn, asked: APIGatewayProxyEventV2, answer: GatewayResponse): GatewayResponse {
    const { scenes, name } = turn;
    const { statusCode, headers } = answer;
    const end = scenes.find(({ kind }) => kind === "past-sunset");
    if (statusCode === REFUSED && "sunset" in headers && end) return { ...answer, scene: end.name };
    if (statusCode !== GOOD || answer.body === undefined) return answer;
    const body = answer.body.toString();
    for (const step of scenes.keys()) {
      const at = (turn.next + step) % scenes.length;
      const scene = scenes[at] as TomorrowScene;
      const isEmpty = scene.kind === "empty-page";
      const page = isEmpty
        ? emptyPages.get(name)?.(asked, body, this.#clock())
        : { body: inTomorrow(body, scene) };
      if (page === undefined || page.body === body) continue;
      turn.next = at + 1;
      const { etag } = headers;
      const tag = typeof etag === "string" && { etag: etag.replace(/"$/, `${LONGER}-${at}"`) };
      const own = { headers: { ...headers, ...page.headers, ...tag }, body: Buffer.from(page.body) };
      return { ...answer, ...own, scene: scene.name };
    }
    return answer;
  }
}

const CONDITION = "if-none-match";

/** A poll for the state of a record that is not the one of some tags. */
const pollOf = ({ rawPath, headers }: APIGatewayProxyEventV2): string => `${rawPath} ${headers[CONDITION]}`;

const GOOD = 200;
const NOT_MODIFIED = 304;
const REFUSED = 400;

/** The scenes in an order in which the first of each kind come first. */
function mixed(scenes: readonly TomorrowScene[]): readonly TomorrowScene[] {
  const byKind = [...Map.groupBy(scenes, ({ kind }) => kind).values()];
  return scenes.flatMap((_, at) => byKind.flatMap((ofKind) => ofKind[at] ?? []));
}

/** The request as its client would have sent it before, for an answer whose text can be changed. */
function asToday(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const asked = JSON.parse(today(JSON.stringify(event))) as APIGatewayProxyEventV2;
  return { ...asked, headers: { ...asked.headers, "accept-encoding": "identity" } };
}

/** An answer with the longer ids and the tag that its client has asked by. */
function asAsked(event: APIGatewayProxyEventV2, answer: GatewayResponse): GatewayResponse {
  const { statusCode, headers, body } = answer;
  if (statusCode === NOT_MODIFIED) {
    const sent = event.headers[CONDITION]?.match(/"[^"]*"/g) ?? [];
    const etag = sent.find((tag) => today(tag) === headers.etag);
    return etag === undefined ? answer : { ...answer, headers: { ...headers, etag } };
  }
  const values = Object.values({ ...event.queryStringParameters, ...event.pathParameters });
  const longer = values.flatMap((value) => value?.split(",") ?? []).filter((id) => today(id) !== id);
  if (body === undefined || longer.length === 0) return answer;
  const text = longer.reduce(
    // A request id may have what a text of replacement means otherwise, such as $&.
    (text, id) => text.replaceAll(JSON.stringify(today(id)), () => JSON.stringify(id)),
    body.toString(),
  );
  return { ...answer, body: Buffer.from(text) };
}

/** An answer of a function as its client accepts it, which the function was not told. */
function compressed({ headers: asked }: APIGatewayProxyEventV2, answer: GatewayResponse): GatewayResponse {
  const { statusCode, headers, body } = answer;
  if (statusCode !== GOOD || body === undefined || headers.vary !== "Accept-Encoding") return answer;
  const encoded = encodeBody(body.toString(), asked["accept-encoding"]);
  const coding = encoded.headers["Content-Encoding"];
  if (coding === undefined) return answer;
  return {
    ...answer,
    headers: { ...headers, "content-encoding": coding },
    body: Buffer.from(encoded.body, "base64"),
  };
}
