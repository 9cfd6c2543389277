/** Something that the local service answers or sends, and a deployment does not. */
interface LocalAddition {
  /** The addition, as one sentence. */
  readonly addition: string;
  /** The answer of a deployment in its place. */
  readonly deployed: string;
  /** The test that holds it, from the top of the project. */
  readonly heldBy: string;
}

/** Everything that only the local service has. Nothing of it is part of a function's bundle or of the template. */
export const localAdditions: readonly LocalAddition[] = [
  {
    addition:
      "The header `X-Local-Warning` names an ignored parameter, a misspelt header or a deprecated lookup, or says what to do about a 401 or a 404.",
    deployed: "no such header",
    heldBy: "test/unit/local/hints/hints.test.ts",
  },
  {
    addition:
      "`GET /` says in JSON what is here and where the reference is, unless the template has a route there.",
    deployed: "404",
    heldBy: "test/integration/local-helpers.test.ts",
  },
  {
    addition: "`GET /` is a page for browsers, and everything below `/_page/` belongs to it (docs/page.md).",
    deployed: "404",
    heldBy: "test/integration/page-desk.test.ts",
  },
  {
    addition:
      "A `Host` that is a public name is answered with 403 unless `--allow-host` names it. Every other `Host` is answered.",
    deployed: "403 for every name that is no domain of an API",
    heldBy: "test/integration/page-desk.test.ts",
  },
  {
    addition: "`/openapi.json` has the OpenAPI document, for the address and the header names of the start.",
    deployed: "404",
    heldBy: "test/integration/openapi-page.test.ts",
  },
];
