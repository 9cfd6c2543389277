import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { ownMember } from "../../lib/own-member.ts";

/** The path below which everything of the page lies but its document. */
export const PAGE_PATH = "/_page/";

/** A file of the built page. */
interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

/** The built page in memory: whatever happens to its directory, a start goes on to serve the files that fit together. */
export interface PageFiles {
  /** The document, in which the key of the start is still missing. */
  readonly document: string;
  /** Every other file, by its whole path. Nothing else can be asked for, whatever a path has in it. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".http": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

const DOCUMENT = "index.html";

/** Reads a built page. Rejects when a directory has none. */
export async function readPageFiles(directory: string): Promise<PageFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const assets = await Promise.all(
    paths.map(async (path) => [addressOf(relative(directory, path)), await readPageFile(path)] as const),
  );
  const document = await readFile(join(directory, DOCUMENT), "utf8");
  return { document, assets: new Map(assets.filter(([address]) => address !== addressOf(DOCUMENT))) };
}

const addressOf = (path: string): string => `${PAGE_PATH}${path.split(sep).join("/")}`;

async function readPageFile(path: string): Promise<PageFile> {
  const type = ownMember(TYPES, extname(path)) ?? "application/octet-stream";
  return { type, content: await readFile(path) };
}
