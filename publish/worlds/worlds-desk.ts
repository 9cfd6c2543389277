import type { IncomingMessage, RequestListener } from "node:http";
import { asJson, type RouteAnswer, refusal } from "../../local/control/control-route.ts";
import { type HostRule, isOwnPage, namedHost } from "../../local/gateway/host-rule.ts";
import { sendLater, wholeBody } from "../../local/http/server.ts";
import { shiftAfter } from "../../local/time/time-move.ts";
import { meant, problemsOf, recordKinds, refusalOf } from "../embed/doors.ts";
import type { WorldSettings } from "../embed/house.ts";
import type { OpenWorld } from "../embed/world.ts";
import { callWorld } from "../embed/world-calls.ts";
import type { WorldKeeper } from "./world-keeper.ts";

export interface WorldsDeskOptions {
  readonly keeper: Pick<WorldKeeper, "open" | "find" | "end" | "count" | "most">;
  readonly isOwnHost: HostRule;
  /** Where a world listens whose maker has called this server by a host, which has no port. */
  readonly placeFor: (shownHost: string) => NonNullable<WorldSettings["place"]>;
  /** Receives the errors of answers, which callers do not see. */
  readonly log: (line: string) => void;
}

/** An import may be as large as a request to a deployed API may be; any other body is some members. */
const BYTES_MAX = { import: 10_485_760, other: 65_536 };

/** Answers programs that make worlds and steer them. Pages in browsers are refused. */
export const createWorldsDesk =
  (options: WorldsDeskOptions): RequestListener =>
  (message, response) =>
    sendLater(
      response,
      answer(options, message)
        .catch((error: unknown) => failed(options, error))
        .then(asJson),
    );

/** What cannot be followed, and why; any other error is a fault, whose stack goes to the log. */
function failed({ log }: WorldsDeskOptions, error: unknown): RouteAnswer {
  const { refusal: told, stack } = refusalOf(error);
  if (stack === undefined) return refusal(409, told);
  log(stack);
  return refusal(500, told);
}

async function answer(options: WorldsDeskOptions, message: IncomingMessage): Promise<RouteAnswer> {
  const { keeper, isOwnHost } = options;
  const host = namedHost(message) ?? "";
  // Addresses are named by it, so HTTP/1.0 needs it too.
  if (nameOf(host) === "") return refusal(400, "The request must have one Host.");
  if (!isOwnHost(host)) return refusal(403, `The Host ${host} is not this machine's.`);
  if (!isOwnPage(message.headers)) return refusal(403, "Pages of another origin are not answered.");
  const { method = "" } = message;
  const url = URL.parse(message.url ?? "", "http://worlds");
  if (url === null) return refusal(400, "The request must have a path.");
  const { pathname, searchParams } = url;
  const [first, id, action, kind, ...rest] = pathname.slice(1).split("/");
  if (first === "" && id === undefined && method === "GET")
    return { status: 200, body: { worlds: keeper.count, most: keeper.most, open: "POST /worlds" } };
  if (first !== "worlds" || rest.length > 0) return notFound(`${method} ${pathname}`);
  if (id === undefined)
    return method === "POST" ? open(options, message, host) : notFound(`${method} /worlds`);
  const world = keeper.find(id);
  if (world === undefined) return ENDED;
  if (action === undefined && method === "DELETE") {
    await keeper.end(id);
    return { status: 200, body: {} };
  }
  if (action === undefined && method === "GET") return { status: 200, body: shown(world, host, id) };
  try {
    return await follow(world, message, `${method} ${pathname}`, { action, kind, searchParams });
  } catch (error) {
    // What a world was doing fails where it ends, and is not a fault then.
    if (keeper.find(id) === undefined) return ENDED;
    throw error;
  }
}

const ENDED = refusal(404, "There is no such world: it was ended, or had no request for an hour.");

/** A host without its port. */
const nameOf = (host: string): string => host.replace(/:\d*$/, "");

interface Wanted {
  readonly action: string | undefined;
  readonly kind: string | undefined;
  readonly searchParams: URLSearchParams;
}

/** Steers a world as a request says. */
async function follow(
  world: OpenWorld,
  message: IncomingMessage,
  asked: string,
  { action, kind, searchParams }: Wanted,
): Promise<RouteAnswer> {
  const { method } = message;
  if (action === "fault" && method === "DELETE")
    return { status: 200, body: { cleared: await call(world, "clearFaults") } };
  if (method !== "POST" || action === undefined) return notFound(asked);
  if (action === "import") return await importLines(world, message, kind, searchParams);
  return kind === undefined ? await steer(world, message, action) : notFound(asked);
}

const OFFERED =
  "There are POST /worlds, and at a world's control address GET, DELETE, DELETE /fault, POST /import/KIND, and POST";

const notFound = (asked: string): RouteAnswer => refusal(404, `There is no ${asked}. ${OFFERED} ${NAMES}.`);

async function open(
  { keeper, placeFor }: WorldsDeskOptions,
  message: IncomingMessage,
  host: string,
): Promise<RouteAnswer> {
  const settings = await read(message, "worlds");
  if ("status" in settings) return settings;
  const place = placeFor(nameOf(host));
  const opened = await keeper.open({ ...(settings.body as WorldSettings), place });
  // Nobody else can end it.
  if (opened !== undefined && message.socket.destroyed) await keeper.end(opened.id);
  if (opened !== undefined) return { status: 201, body: shown(opened.world, host, opened.id) };
  return refusal(
    429,
    `There are ${keeper.most} worlds, the most that this server was started for (--most). End one by DELETE to its control address, or wait: one ends after an hour without a request.`,
  );
}

const nowOf = ({ clockShift }: OpenWorld): string => new Date(clockShift.clock()).toISOString();

const shown = (world: OpenWorld, host: string, id: string): object => ({
  baseUrl: world.baseUrl,
  control: `http://${host}/worlds/${id}`,
  now: nowOf(world),
  credentials: world.credentials,
});

const call = (world: OpenWorld, method: string, ...given: readonly unknown[]): Promise<unknown> =>
  callWorld(Promise.resolve(world), method, given);

/** What steers a world by the members of its body, and answers JSON. */
const STEERS = {
  time: async (world, { to }) => {
    const { clockShift } = world;
    clockShift.ms = shiftAfter(clockShift, String(to));
    return { now: nowOf(world) };
  },
  advance: (world, { id, to }) => call(world, "advance", id, to),
  fault: async (world, { endpoint, kind, ...bounds }) => {
    await call(world, "fault", endpoint, kind, bounds);
    return {};
  },
  token: async (world, order) => ({ token: await call(world, "issueToken", order) }),
} as const satisfies Record<string, Steer>;

type Steer = (world: OpenWorld, body: Readonly<Record<string, unknown>>) => Promise<unknown>;

const NAMES = ["/reset", ...Object.keys(STEERS).map((name) => `/${name}`)].join(", ");

const isSteer = (name: string): name is keyof typeof STEERS => Object.hasOwn(STEERS, name);

async function steer(world: OpenWorld, message: IncomingMessage, action: string): Promise<RouteAnswer> {
  if (action === "reset") {
    await call(world, "reset");
    return { status: 200, body: { now: nowOf(world) } };
  }
  if (!isSteer(action)) return notFound(meant(`POST /${action}`, action, Object.keys(STEERS)));
  const given = await read(message, action);
  if ("status" in given) return given;
  return { status: 200, body: await STEERS[action](world, given.body) };
}

async function importLines(
  world: OpenWorld,
  message: IncomingMessage,
  name: string | undefined,
  query: URLSearchParams,
): Promise<RouteAnswer> {
  const kind = recordKinds.find((one) => one === name);
  if (kind === undefined) return notFound(meant(`POST /import/${name ?? ""}`, name ?? "", recordKinds));
  const records = await wholeBody(message, BYTES_MAX.import);
  if (records === undefined) return refusal(413, `The lines must have ${BYTES_MAX.import} bytes at most.`);
  const order = { ...Object.fromEntries(query), records: records.toString() };
  const problem = problemsOf(kind, order);
  if (problem !== undefined) return refusal(400, problem);
  return { status: 200, body: await call(world, "importRecords", kind, order) };
}

/** Reads a request's members, none of an empty body, or the answer that refuses them. */
async function read(
  message: IncomingMessage,
  request: Parameters<typeof problemsOf>[0],
): Promise<{ readonly body: Readonly<Record<string, unknown>> } | RouteAnswer> {
  const text = (await wholeBody(message, BYTES_MAX.other))?.toString();
  if (text === undefined) return refusal(413, `The body must have ${BYTES_MAX.other} bytes at most.`);
  const body = parsed(text);
  if (body === undefined) return refusal(400, `${request}: the body must be JSON, and is not.`);
  const problem = problemsOf(request, body);
  return problem === undefined ? { body: body as Readonly<Record<string, unknown>> } : refusal(400, problem);
}

function parsed(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
