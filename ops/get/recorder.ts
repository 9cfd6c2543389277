/** A `fetch` for the client that counts requests and can keep the text of the last answer, character by character. */
export class Recorder {
  readonly #keepsBodies: boolean;
  #calls = 0;
  #body: Promise<string> = Promise.resolve("");

  constructor(keepsBodies: boolean) {
    this.#keepsBodies = keepsBodies;
  }

  /** Requests so far, repetitions included. */
  get calls(): number {
    return this.#calls;
  }

  /** The body of the last answer; empty unless bodies are kept. */
  get body(): Promise<string> {
    return this.#body;
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    this.#calls += 1;
    const response = await fetch(url, init);
    if (!this.#keepsBodies) return response;
    this.#body = response.clone().text();
    // An answer that breaks off is the client's to report.
    this.#body.catch(() => {});
    return response;
  };
}
