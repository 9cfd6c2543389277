import type { IncomingMessage, RequestListener } from "node:http";
import type { Members } from "../../lib/json-value.ts";
import {
  asJson,
  ControlRefusal,
  parseJson,
  type RouteAnswer,
  refusal,
} from "../../local/control/control-route.ts";
import { type HostRule, isOwnPage, namedHost } from "../../local/gateway/host-rule.ts";
import { sendLater, wholeBody } from "../../local/http/server.ts";
import { checkBody, meant, recordKinds, refusalOf } from "../embed/doors.ts";
import type { WorldSettings } from "../embed/house.ts";
import type { OpenWorld } from "../embed/world.ts";
import { callWorld } from "../embed/world-calls.ts";
import type { WorldKeeper } from "./world-keeper.ts";

export interface WorldsDeskOptions {
  readonly keeper: Pick<WorldKeeper, "open" | "find" | "end" | "counts">;
  readonly isOwnHost: HostRule;
  /** Where a world listens whose maker has called this server by a host, which has no port. */
  readonly placeFor: (shownHost: string) => NonNullable<WorldSettings["place"]>;
  /** Receives the errors of answers, which callers do not see. */
  readonly log: (line: string) => void;
}

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
  const { status, refusal: told, stack } = refusalOf(error);
  if (stack !== undefined) log(stack);
  return refusal(status, told);
}

async function answer(options: WorldsDeskOptions, message: IncomingMessage): Promise<RouteAnswer> {
  const { keeper, placeFor } = options;
  const { host, name } = calledHost(options, message);
  const url = URL.parse(message.url ?? "", "http://worlds") ?? new URL("http://worlds/none");
  const asked = `${message.method} ${url.pathname}`;
  if (asked === "GET /") return { status: 200, body: { ...keeper.counts, open: "POST /worlds" } };
  if (asked !== "POST /worlds") return { status: 200, body: await steered(keeper, message, { host, url }) };
  const settings = await read(message, "worlds");
  const { id, world } = await keeper.open({ ...settings, place: placeFor(name) });
  // Nobody else can end it.
  if (message.socket.destroyed) await keeper.end(id);
  return { status: 201, body: shown(world, `http://${host}/worlds/${id}`) };
}

/** The host that a request calls, and its name without the port. @throws {ControlRefusal} for one that is not answered. */
function calledHost({ isOwnHost }: WorldsDeskOptions, message: IncomingMessage) {
  const host = namedHost(message) ?? "";
  const name = host.replace(/:\d*$/, "");
  // Addresses are named by it, so HTTP/1.0 needs it too.
  if (name === "") throw new ControlRefusal("The request must have one Host.", 400);
  if (!isOwnHost(host)) throw new ControlRefusal(`The Host ${host} is not this machine's.`, 403);
  if (isOwnPage(message.headers)) return { host, name };
  throw new ControlRefusal("Pages of another origin are not answered.", 403);
}

/** Follows a request at a world's control address. Resolves with the answer's body. */
async function steered(
  keeper: WorldsDeskOptions["keeper"],
  message: IncomingMessage,
  { host, url }: { readonly host: string; readonly url: URL },
): Promise<unknown> {
  const asked = `${message.method} ${url.pathname}`;
  const [, id, path = ""] = /^\/worlds\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  if (id === undefined) throw notFound(asked);
  const world = await keeper.find(id);
  if (world === undefined) throw ended();
  const own = `${message.method} ${path}`;
  if (own === "GET ") return shown(world, `http://${host}/worlds/${id}`);
  if (own === "DELETE ") return (await keeper.end(id)) ?? {};
  const steer = STEERS.get(own);
  if (steer === undefined) throw notFound(asked, path === "" ? "" : own);
  try {
    const members = message.method === "POST" ? await read(message, path.slice(1), url.searchParams) : {};
    return (await steer(world, members)) ?? {};
  } catch (error) {
    // What a world was doing fails where it ends, and is not a fault then.
    throw keeper.find(id) === undefined ? ended() : error;
  }
}

const ended = (): ControlRefusal =>
  new ControlRefusal("There is no such world: it was ended, or had no request for an hour.", 404);

const nowOf = ({ clockShift }: OpenWorld): string => new Date(clockShift.clock()).toISOString();

const shown = (world: OpenWorld, control: string): object => ({
  baseUrl: world.baseUrl,
  control,
  now: nowOf(world),
  credentials: world.credentials,
});

/** Steers a world by the members of a body. Resolves with the answer. */
type Steer = (world: OpenWorld, members: Members) => Promise<unknown>;

/** What steers a world, by method and path at its control address. */
const STEERS = new Map<string, Steer>([
  ["POST /advance", (world, { id, to }) => callWorld(world, "advance", [id, to])],
  [
    "POST /fault",
    (world, { endpoint, kind, ...bounds }) => callWorld(world, "fault", [endpoint, kind, bounds]),
  ],
  ["DELETE /fault", async (world) => ({ cleared: await callWorld(world, "clearFaults", []) })],
  ["POST /token", async (world, order) => ({ token: await callWorld(world, "issueToken", [order]) })],
  ...recordKinds.map((kind): [string, Steer] => [
    `POST /import/${kind}`,
    (world, order) => callWorld(world, "importRecords", [kind, order]),
  ]),
  ["POST /time", (world, { to }) => callWorld(world, "passTime", [to]).then(() => ({ now: nowOf(world) }))],
  ["POST /reset", (world) => callWorld(world, "reset", []).then(() => ({ now: nowOf(world) }))],
]);

/** @param steer the method and the path at a control address that were asked for. */
function notFound(asked: string, steer = ""): ControlRefusal {
  const steers = [...STEERS.keys()];
  return new ControlRefusal(
    `There is no ${meant(asked, steer, steers)}. There are POST /worlds, and at a world's control address GET, DELETE, ${steers.join(", ")}.`,
    404,
  );
}

/** An import may be as large as a request to a deployed API may be; any other body is some members. */
const BYTES_MAX = { import: 10_485_760, other: 65_536 };

/** Reads a request's members, none of an empty body. Those of an import are its lines and what its query has. */
async function read(message: IncomingMessage, path: string, query = new URLSearchParams()): Promise<Members> {
  const isImport = path.startsWith("import/");
  const bytesMax = BYTES_MAX[isImport ? "import" : "other"];
  const bytes = await wholeBody(message, bytesMax);
  if (bytes === undefined) throw new ControlRefusal(`The body must have ${bytesMax} bytes at most.`, 413);
  // An import judges each of its lines itself.
  if (isImport) {
    const members = Object.fromEntries(query);
    const repeated = Object.keys(members).find((name) => query.getAll(name).length > 1);
    if (repeated !== undefined)
      throw new ControlRefusal(`${path}: ${repeated} is given more than once.`, 400);
    checkBody(path, { ...members, records: "" });
    return { ...members, records: bytes };
  }
  const members = bytes.toString().trim() === "" ? {} : parseJson(bytes);
  if (members === undefined) throw new ControlRefusal(`${path}: the body must be JSON, and is not.`, 400);
  checkBody(path, members);
  return members as Members;
}
