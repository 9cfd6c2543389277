import type { EndpointName } from "./contract.ts";

/** Notice that an endpoint, or the way in which it was used, is going to be removed. */
export interface DeprecationWarning {
  readonly endpoint: EndpointName;
  /** A sentence for people. */
  readonly message: string;
  /** `Deprecation` as it was sent (RFC 9745), such as `@1782864000`. */
  readonly deprecation: string | undefined;
  /** `Sunset` as it was sent (RFC 8594), such as `Thu, 01 Jul 2027 00:00:00 GMT`. */
  readonly sunset: string | undefined;
}

/** Reports deprecations, once for each endpoint. */
export class Warnings {
  readonly #report: (warning: DeprecationWarning) => void;
  readonly #reported = new Set<EndpointName>();

  constructor(report: (warning: DeprecationWarning) => void) {
    this.#report = report;
  }

  /** Looks at the headers of an answer, which are told as `mask` leaves them. */
  see(endpoint: EndpointName, headers: Headers, mask: (text: string) => string): void {
    const [deprecation, sunset] = ["Deprecation", "Sunset"].map((name) => {
      const text = headers.get(name);
      return text === null ? undefined : mask(text);
    });
    if ((deprecation === undefined && sunset === undefined) || this.#reported.has(endpoint)) return;
    this.#reported.add(endpoint);
    const end = sunset === undefined ? "" : ` It will be removed on ${sunset}.`;
    const message = `countinghouse: ${endpoint} is deprecated as it is used here.${end}`;
    this.#report({ endpoint, message, deprecation, sunset });
  }
}
