import { createHash } from "node:crypto";
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
import { type HostRule, isOwnPage, namedHost } from "../gateway/host-rule.ts";
import { prefersHtml } from "../gateway/page.ts";
import { type HttpAnswer, sendLater } from "../http/server.ts";
import type { LiveLog } from "./live-log.ts";
import { PAGE_PATH } from "./page-files.ts";
import type { PageSource, PageState } from "./page-source.ts";

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
    else
      sendLater(
        response,
        options.source.state().then((state) => fileAnswer(state, message.method, path)),
      );
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

/** The names below `assets/` change with the content, so a browser may keep each for ever. */
const ASSETS_PATH = `${PAGE_PATH}assets/`;

const NOT_BUILT = "The page could not be built. The reason is in the output of the local server.";

/** A file of the page, or why there is none yet, or none at all. */
export function fileAnswer(state: PageState, method: string | undefined, path: string): HttpAnswer {
  if (state.kind === "failed") return asJson(refusal(500, NOT_BUILT));
  if (state.kind === "building") {
    const { headers, ...later } = asJson(refusal(503, "The page is being built. Ask again in two seconds."));
    return { ...later, headers: { ...headers, "retry-after": "2" } };
  }
  const file = method === "GET" ? state.files.assets.get(path) : undefined;
  if (file === undefined) return asJson(refusal(404, "Not Found"));
  return {
    status: 200,
    headers: {
      "content-type": file.type,
      "cache-control": path.startsWith(ASSETS_PATH) ? "public, max-age=31536000, immutable" : "no-cache",
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
 * Refuses what this start's own document cannot have sent: requests of other pages, and those without the key, which is
 * known only to the document, because no other origin can read it. `Host` is judged before, with every request.
 *
 * @param key the key that the request shows.
 * @param ownKey the key of this start.
 */
export function guardQuestion(
  headers: IncomingHttpHeaders,
  key: string,
  ownKey: string,
): RouteAnswer | undefined {
  if (!isOwnPage(headers)) return refusal(403, "Only the page of this server is answered.");
  return isKey(key, ownKey)
    ? undefined
    : refusal(401, "The key is that of another start. Load the page again.");
}

/** How a note looks, which is shown before there are files of the page. */
const NOTE_STYLE =
  "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }";
/** A refresh by `meta` would leave an address such as `/#/market` where it is: it leads within the document. */
const NOTE_SCRIPT = "setTimeout(() => location.reload(), 1_000);";

const sourceOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What the document may do: run and be styled by its own files, and ask its own origin. */
export const DOCUMENT_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'self' ${sourceOf(NOTE_SCRIPT)}`,
    `style-src 'self' ${sourceOf(NOTE_STYLE)}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  // The document has the key of this start, so no other origin may read it and no cache may keep it.
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

const KEY_PLACE = '<meta name="page-key" content="">';

/** The document as a browser gets it: the page, or a note that it is still being built, which loads itself again. */
export function documentText(state: PageState, key: string): string {
  if (state.kind === "ready")
    return state.files.document.replace(KEY_PLACE, `<meta name="page-key" content="${key}">`);
  if (state.kind === "building")
    return note(
      "The page is being built. It appears here by itself in a few seconds.",
      `<script>${NOTE_SCRIPT}</script>`,
    );
  return note(NOT_BUILT, "");
}

const note = (text: string, head: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<title>countinghouse</title>
<style>${NOTE_STYLE}</style>
</head>
<body>
<h1>countinghouse</h1>
<p role="status">${text} The API answers already.</p>
</body>
</html>
`;
