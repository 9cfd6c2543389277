import { NotObservable, type Rule, readCurrent, type Subject, shown } from "./rule.ts";

/** The answer to the current tag, put into a header in some way. */
async function ask(subject: Subject, header: (tag: string) => string) {
  const { tag, body, bodyBytes } = await readCurrent(subject);
  const probe = { reference: subject.plan.reference, headers: { "If-None-Match": header(tag) } };
  const response = await subject.wallet.get(probe);
  const isSameBody = response.status === 200 && response.body === body;
  if (isSameBody && response.headers.etag !== tag)
    throw new NotObservable("the tag of an unchanged pass does not stay");
  return { tag, body, bodyBytes, response };
}

/** A way to name the current tag that must be answered with 304. */
const matching = (id: string, rule: string, why: string, header: (tag: string) => string): Rule => ({
  id,
  rule,
  expected: "304",
  why,
  run: async (subject) => {
    const { response } = await ask(subject, header);
    return { holds: response.status === 304, seen: String(response.status) };
  },
});

const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** The 304 to the plain tag. @throws {NotObservable} when there is none. */
async function readNotModified(subject: Subject) {
  const asked = await ask(subject, (current) => current);
  if (asked.response.status !== 304) throw new NotObservable("no 304 for the current tag");
  return asked;
}

/** What clients meet that ask for compression: something before the endpoint may have given its answer another tag. */
const unchangedToGzip: Rule = {
  id: "304-gzip",
  rule: "The tag that came with Accept-Encoding: gzip is answered with 304 where it is sent back with it",
  expected: "304",
  why: "Whoever compresses an answer and gives it a tag of its own has to know that tag again (RFC 9110 8.8.3.3): else a client that takes gzip never gets a 304.",
  run: async (subject) => {
    await readNotModified(subject);
    const headers = { "Accept-Encoding": "gzip" };
    const { tag } = await readCurrent(subject, headers);
    const conditional = { ...headers, "If-None-Match": tag };
    const response = await subject.wallet.get({ reference: subject.plan.reference, headers: conditional });
    if (response.status === 200 && response.headers.etag !== tag)
      throw new NotObservable("the tag of an unchanged pass does not stay");
    return { holds: response.status === 304, seen: String(response.status) };
  },
};

/** What conditional requests are answered with (RFC 9110 13.1.2). */
export const conditionRules: readonly Rule[] = [
  matching(
    "304-same-tag",
    "The current tag is answered with 304",
    "When If-None-Match equals the tag of the unchanged pass, the answer is a 304 (contract, Rules 2).",
    (tag) => tag,
  ),
  unchangedToGzip,
  {
    id: "304-no-body",
    rule: "A 304 has no body",
    expected: "no byte after the header",
    why: "A 304 ends with its header; what follows is taken for the beginning of the next answer (RFC 9110 15.4.5).",
    run: async (subject) => {
      const { tag } = await readNotModified(subject);
      const headers = { "If-None-Match": tag };
      const wire = await subject.wallet.readWire({ reference: subject.plan.reference, headers });
      if (wire.status !== 304) throw new NotObservable(`${wire.status} in place of the 304`);
      return { holds: wire.strayBytes === 0, seen: `${wire.strayBytes} bytes` };
    },
  },
  {
    id: "304-content-length",
    rule: "A Content-Length on a 304 is that of the 200 (RFC 9110 8.6)",
    expected: "absent, or the 200's",
    why: "On a 304 it is the length that the 200 would have had, and no other (RFC 9110 8.6).",
    run: async (subject) => {
      const { response, bodyBytes } = await readNotModified(subject);
      const length = response.headers["content-length"];
      return { holds: length === undefined || length === String(bodyBytes), seen: shown(length, subject) };
    },
  },
  {
    id: "304-etag",
    rule: "A 304 carries the tag that the 200 would (RFC 9110 15.4.5)",
    expected: "the same ETag",
    why: "A 304 has the ETag that the 200 would have had (RFC 9110 15.4.5).",
    run: async (subject) => {
      const { tag, response } = await readNotModified(subject);
      const { etag } = response.headers;
      return {
        holds: etag === tag,
        seen: etag === undefined ? "no ETag" : etag === tag ? "the same" : "another",
      };
    },
  },
  matching(
    "304-list",
    "A list of tags that has the current one matches",
    "If-None-Match may list tags, of which one that matches is enough (RFC 9110 13.1.2).",
    (tag) => `"not-this-one", ${tag}, "nor,this"`,
  ),
  matching(
    "304-any",
    "* matches any pass that exists",
    "If-None-Match: * is false for whatever has a current state (RFC 9110 13.1.2), and the answer then a 304.",
    () => "*",
  ),
  matching(
    "304-weak",
    "Tags are compared weakly",
    "For If-None-Match a tag with W/ in front equals the one without (RFC 9110 13.1.2, 8.8.3.2).",
    (tag) => (tag.startsWith("W/") ? opaque(tag) : `W/${tag}`),
  ),
  {
    id: "200-other-tag",
    rule: "Another tag is answered with the whole pass",
    expected: "200 with the body",
    why: "Tags are compared as a whole (RFC 9110 8.8.3.2): one that has the current tag within it is another.",
    run: async (subject) => {
      const inner = (tag: string): string => opaque(tag).slice(1, -1);
      const { response, body } = await ask(
        subject,
        (tag) => `"x${inner(tag)}", "${inner(tag)}x", "not-this-one"`,
      );
      const isWhole = response.body === body && body !== "";
      return {
        holds: response.status === 200 && isWhole,
        seen: `${response.status} with ${isWhole ? "the" : "another"} body`,
      };
    },
  },
];
