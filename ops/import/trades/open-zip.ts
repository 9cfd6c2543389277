import { open } from "node:fs/promises";
import yauzl from "yauzl";
import { codeOf, OperatorError } from "../../../local/process/operator-error.ts";
import { SHEET_ENTRY, sheetError } from "../file-form.ts";
import { openSource, readUntil, type Source, unpackBytes } from "../open-source.ts";

const ZIP_MAGIC = "PK\u0003\u0004";

/** Whether a file's first bytes are those of a zip archive; false for a file that cannot be read. */
async function isZip(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP_MAGIC.length), 0, ZIP_MAGIC.length, 0);
    return bytesRead === ZIP_MAGIC.length && buffer.toString("latin1") === ZIP_MAGIC;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

const damaged = (path: string, error: unknown): OperatorError =>
  new OperatorError(`Cannot read ${path}: its zip data is cut off or damaged (${codeOf(error)}).`, error);

/** What systems put beside the files: folders, and what macOS and Windows keep of a file or a folder. */
const isBeside = ({ fileName }: yauzl.Entry): boolean =>
  /(?:^__MACOSX\/|(?:^|\/)(?:\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$|\/$)/i.test(fileName);

/** The one file that an archive holds. @throws {OperatorError} when it holds several or none, or an encrypted one. */
async function onlyEntry(path: string, archive: yauzl.ZipFile): Promise<yauzl.Entry> {
  const entries: yauzl.Entry[] = [];
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName === SHEET_ENTRY) throw sheetError(path);
    if (!isBeside(entry)) entries.push(entry);
  }
  const [only] = entries;
  if (only === undefined || entries.length > 1)
    throw new OperatorError(`${path} holds ${entries.length} files, not one. Unpack it and import each.`);
  if (only.isEncrypted())
    throw new OperatorError(`${path} is encrypted. Unpack it with its password, and import the file.`);
  return only;
}

async function openArchive(path: string, signal: AbortSignal): Promise<Source> {
  const archive = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  const entry = await onlyEntry(path, archive);
  const stream = await archive.openReadStreamPromise(entry);
  let readBytes = 0;
  const chunks = async function* () {
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (signal.aborted) return;
        readBytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw error instanceof OperatorError ? error : damaged(path, error);
    } finally {
      archive.close();
    }
  };
  const unpacked = readUntil(signal, path, unpackBytes(path, chunks()));
  return { name: path, sizeBytes: entry.uncompressedSize, readBytes: () => readBytes, chunks: unpacked };
}

/**
 * Opens a file as `openSource` does, or a zip archive that holds one file. A zip archive cannot come from standard
 * input, because its list of files is at its end.
 */
export async function openTrades(path: string, signal: AbortSignal): Promise<Source> {
  if (path === "-" || !(await isZip(path))) return await openSource(path, signal);
  try {
    return await openArchive(path, signal);
  } catch (error) {
    throw error instanceof OperatorError ? error : damaged(path, error);
  }
}
