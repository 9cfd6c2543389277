import { type Work, workIn } from "./faulty-application.ts";

/** Keeps what functions print, and tells when the line of a request is there. */
export class LineLog {
  readonly lines: string[] = [];
  /** What each invocation has done, with its function's name. */
  readonly works: { readonly name: string; readonly work: Work }[] = [];
  readonly #waiting = new Set<() => void>();

  readonly take = (name: string, line: string): void => {
    const work = workIn(line);
    if (work !== undefined) {
      this.works.push({ name, work });
      return;
    }
    this.lines.push(line);
    for (const look of this.#waiting) look();
  };

  /** Resolves once the line of a request was printed. */
  of(gatewayRequestId: string): Promise<void> {
    return this.untilWritten(`"gateway_request_id":${JSON.stringify(gatewayRequestId)}`, 1);
  }

  /** Resolves once so many lines with a text were printed. */
  untilWritten(text: string, count: number): Promise<void> {
    const isThere = (): boolean => this.lines.filter((line) => line.includes(text)).length >= count;
    if (isThere()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isThere()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  /** The lines with members that were printed after the first `at`. */
  since(at: number): readonly Readonly<Record<string, unknown>>[] {
    return this.lines
      .slice(at)
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
