import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { answerRoute, type RouteAnswer, refusal, type ServedRoute } from "../control/control-route.ts";
import type { Desk } from "../gateway/gateway.ts";
import { type HostRule, namedHost } from "../gateway/host-rule.ts";
import { prefersHtml } from "../gateway/page.ts";
import type { LiveLog } from "./live-log.ts";
import { DOCUMENT_HEADERS, documentText } from "./page-document.ts";
import { PAGE_PATH } from "./page-files.ts";
import type { PageSource } from "./page-source.ts";

const BODY_BYTES_MAX = 65_536;
const QUESTIONS_PATH = `${PAGE_PATH}api/`;
const LOG_PATH = `${QUESTIONS_PATH}log`;

export interface PageDeskOptions {
  readonly source: Pick<PageSource, "state">;
  /** The questions that the page may ask, without their answers' form: each is JSON. */
  readonly routes: readonly ServedRoute[];
  readonly liveLog: Pick<LiveLog, "listen">;
  /** The key of this start. */
  readonly key: string;
  readonly isOwnHost: HostRule;
  /** Where browsers find the document beside the bare address: the API's base path, which may be empty. */
  readonly basePath: string;
  /** Receives the errors of answers, which the page does not see. */
  readonly log: (line: string) => void;
}

interface DeskAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/**
 * The local server's desk: the document for browsers at the bare address, the files of the page, its questions and the
 * live log. A deployment has nothing of it. A foreign or malformed `Host` is left to the gateway, which refuses it.
 */
export function createPageDesk(options: PageDeskOptions): Desk {
  const questions = new Map(options.routes.map((route) => [`${QUESTIONS_PATH}${route.name}`, route]));
  return (message, response) => {
    const [path = ""] = (message.url ?? "").split("?");
    const host = namedHost(message);
    if (host === undefined || !options.isOwnHost(host)) return false;
    if (isDocument(message, path, options.basePath)) sendLater(response, documentOf(options));
    else if (!path.startsWith(PAGE_PATH)) return false;
    else if (path === LOG_PATH) answerLog(options, message, response);
    else if (path.startsWith(QUESTIONS_PATH)) answerQuestion(options, questions.get(path), message, response);
    else sendLater(response, assetOf(options, message, path));
    return true;
  };
}

const isDocument = ({ method, headers }: IncomingMessage, path: string, basePath: string): boolean =>
  method === "GET" &&
  (path === "/" || path === basePath || path === `${basePath}/`) &&
  prefersHtml(headers.accept ?? "");

const documentOf = async ({ source, key }: PageDeskOptions): Promise<DeskAnswer> => ({
  status: 200,
  headers: DOCUMENT_HEADERS,
  body: documentText(await source.state(), key),
});

/** The names of files change with their content, so a browser may keep each for ever. */
async function assetOf(
  { source }: PageDeskOptions,
  { method }: IncomingMessage,
  path: string,
): Promise<DeskAnswer> {
  const state = await source.state();
  const file = state.kind === "ready" && method === "GET" ? state.files.assets.get(path) : undefined;
  if (file === undefined) return asJson(refusal(404, "Not Found"));
  return {
    status: 200,
    headers: {
      "content-type": file.type,
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
    body: file.content,
  };
}

function answerLog(
  { liveLog, key }: PageDeskOptions,
  { headers, method, url = "" }: IncomingMessage,
  response: ServerResponse,
): void {
  const shown = new URLSearchParams(url.split("?")[1]).get("key") ?? "";
  const guarded = guardQuestion(headers, shown, key);
  if (guarded !== undefined) send(response, asJson(refusal(guarded.status, guarded.message)));
  else if (method !== "GET") send(response, asJson(refusal(404, "Not Found")));
  else liveLog.listen(response, [headers["last-event-id"]].flat()[0]);
}

function answerQuestion(
  options: PageDeskOptions,
  route: ServedRoute | undefined,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  // A caller that is gone before its question has arrived gets no answer.
  sendLater(response, questionAnswer(options, route, message).then(asJson));
}

/** Reads a question only after it has passed the guard. */
async function questionAnswer(
  { key, log }: PageDeskOptions,
  route: ServedRoute | undefined,
  message: IncomingMessage,
): Promise<RouteAnswer> {
  const shown = [message.headers["x-page-key"]].flat()[0] ?? "";
  const guarded = guardQuestion(message.headers, shown, key);
  if (guarded !== undefined) return refusal(guarded.status, guarded.message);
  if (route === undefined || message.method !== "POST") return refusal(404, "There is no such question.");
  return answerRoute(route, message, { bytesMax: BODY_BYTES_MAX, log });
}

const asJson = ({ status, body }: RouteAnswer): DeskAnswer => ({
  status,
  headers: {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  },
  body: JSON.stringify(body),
});

/** Sends an answer once it is there; without one, the connection ends. */
function sendLater(response: ServerResponse, answer: Promise<DeskAnswer>): void {
  answer.then(
    (given) => send(response, given),
    () => response.destroy(),
  );
}

function send(response: ServerResponse, { status, headers, body }: DeskAnswer): void {
  const content = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": content.length });
  response.end(content);
}

/** Why a question of the page is not answered. */
interface GuardRefusal {
  readonly status: 401 | 403;
  readonly message: string;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Refuses what this start's own document cannot have sent. Browsers name the asking page in `Origin` and say in
 * `Sec-Fetch-Site` how near it is, and neither can be changed by a script; the key is known only to the document, which
 * no other origin can read. `Host` is judged before, with every request.
 *
 * @param key the key that the request shows.
 * @param ownKey the key of this start.
 */
export function guardQuestion(
  headers: IncomingHttpHeaders,
  key: string,
  ownKey: string,
): GuardRefusal | undefined {
  const site = headers["sec-fetch-site"] ?? "same-origin";
  if (!isOwnOrigin(headers) || (site !== "same-origin" && site !== "none"))
    return { status: 403, message: "Only the page of this server is answered." };
  if (!timingSafeEqual(digest(key), digest(ownKey)))
    return { status: 401, message: "The key is that of another start. Load the page again." };
  return undefined;
}

/** A proxy that speaks TLS in front of this server is of the same host. */
const isOwnOrigin = ({ origin, host }: IncomingHttpHeaders): boolean =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
