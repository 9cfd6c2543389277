import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium as launcher } from "playwright-core";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { madeOnce } from "./made-once.ts";

/** Whether this machine can run the browser: the package has it for Linux on x64 alone. */
export const hasBrowser = process.platform === "linux" && process.arch === "x64";

/** Any page of this host comes from this machine. It is not `localhost`, so browsers do not trust it over plain HTTP. */
export const PLAIN_HOST = "plain.test";

/** Starts a Chromium without a window, which keeps all rules that a visitor's keeps. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = path.join(await unpackedChromium(), "chromium");
  // The package's own arguments would switch CORS off.
  const args = ["--no-sandbox", `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`];
  return launcher.launch({ executablePath, args });
}

/**
 * The package unpacks itself below TMPDIR, which takes seconds and 200 MB. A process of its own does
 * it.
 */
const unpackedChromium = (): Promise<string> =>
  madeOnce("chromium", { sources: ["node_modules/@sparticuz/chromium/package.json"] }, async (draft) => {
    const env = { ...process.env, TMPDIR: draft };
    const script = path.join(import.meta.dirname, "unpack-chromium.ts");
    await promisify(execFile)(process.execPath, [script], { env });
  });

/** A server of pages on a free port of this machine. */
export interface PageServer {
  readonly port: number;
  /** The paths that were asked for, in their order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** What is served below a path: a page, or the files of a directory. */
export type Served = { readonly html: string } | { readonly directory: string };

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".html": "text/html" };

/** Serves pages and directories by the beginning of their path; the first that fits answers. */
export async function servePages(pages: Readonly<Record<string, Served>>): Promise<PageServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    asked.push(pathname);
    void contentOf(pages, pathname).then(
      ({ type, content }) => response.writeHead(200, { "Content-Type": type }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  const port = await listenOnLoopback(server);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, asked, close };
}

async function contentOf(pages: Readonly<Record<string, Served>>, pathname: string) {
  const [prefix, served] = Object.entries(pages).find(([known]) => pathname.startsWith(known)) ?? [];
  if (prefix === undefined || served === undefined) throw new Error(`${pathname} is not served.`);
  if ("html" in served) return { type: "text/html; charset=utf-8", content: served.html };
  const file = path.join(served.directory, path.normalize(pathname.slice(prefix.length)));
  return { type: TYPES[path.extname(file)] ?? "text/plain", content: await readFile(file, "utf8") };
}
