import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  answerRoute,
  asJson,
  isKey,
  type RouteAnswer,
  refusal,
  type ServedRoute,
} from "../control/control-route.ts";
import type { Desk } from "../gateway/gateway.ts";
import { type HostRule, namedHost } from "../gateway/host-rule.ts";
import { prefersHtml } from "../gateway/page.ts";
import { type HttpAnswer, sendLater } from "../http/server.ts";
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
    else if (path.startsWith(QUESTIONS_PATH))
      sendLater(response, answerQuestion(options, questions.get(path), message).then(asJson));
    else sendLater(response, assetOf(options, message, path));
    return true;
  };
}

const isDocument = ({ method, headers }: IncomingMessage, path: string, basePath: string): boolean =>
  method === "GET" &&
  (path === "/" || path === basePath || path === `${basePath}/`) &&
  prefersHtml(headers.accept ?? "");

const documentOf = async ({ source, key }: PageDeskOptions): Promise<HttpAnswer> => ({
  status: 200,
  headers: DOCUMENT_HEADERS,
  body: documentText(await source.state(), key),
});

/** The names of files change with their content, so a browser may keep each for ever. */
async function assetOf(
  { source }: PageDeskOptions,
  { method }: IncomingMessage,
  path: string,
): Promise<HttpAnswer> {
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
  const refused =
    guardQuestion(headers, shown, key) ?? (method === "GET" ? undefined : refusal(404, "Not Found"));
  if (refused === undefined) liveLog.listen(response, [headers["last-event-id"]].flat()[0]);
  else sendLater(response, Promise.resolve(asJson(refused)));
}

/** Reads a question only after it has passed the guard. */
async function answerQuestion(
  { key, log }: PageDeskOptions,
  route: ServedRoute | undefined,
  message: IncomingMessage,
): Promise<RouteAnswer> {
  const shown = [message.headers["x-page-key"]].flat()[0] ?? "";
  const refused = guardQuestion(message.headers, shown, key);
  if (refused !== undefined) return refused;
  if (route === undefined || message.method !== "POST") return refusal(404, "There is no such question.");
  return answerRoute(route, message, { bytesMax: BODY_BYTES_MAX, log });
}

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
): RouteAnswer | undefined {
  const site = headers["sec-fetch-site"] ?? "same-origin";
  if (!isOwnOrigin(headers) || (site !== "same-origin" && site !== "none"))
    return refusal(403, "Only the page of this server is answered.");
  return isKey(key, ownKey)
    ? undefined
    : refusal(401, "The key is that of another start. Load the page again.");
}

/** A proxy that speaks TLS in front of this server is of the same host. */
const isOwnOrigin = ({ origin, host }: IncomingHttpHeaders): boolean =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
