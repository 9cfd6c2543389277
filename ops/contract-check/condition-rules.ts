import { NotObservable, type Rule, readCurrent, type Subject } from "./rule.ts";

/** The answer to the current tag, put into a header in some way. */
async function ask(subject: Subject, header: (tag: string) => string) {
  const { tag, body } = await readCurrent(subject);
  const probe = { reference: subject.plan.reference, headers: { "If-None-Match": header(tag) } };
  const response = await subject.wallet.get(probe);
  const isSameBody = response.status === 200 && response.body === body;
  if (isSameBody && response.headers.etag !== tag)
    throw new NotObservable("the tag of an unchanged pass does not stay");
  return { tag, body, response };
}

/** A way to name the current tag that must be answered with 304. */
const matching = (id: string, rule: string, header: (tag: string) => string): Rule => ({
  id,
  rule,
  expected: "304",
  run: async (subject) => {
    const { response } = await ask(subject, header);
    return { holds: response.status === 304, seen: String(response.status) };
  },
});

const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** The 304 to the plain tag. @throws {NotObservable} when there is none. */
async function readNotModified(subject: Subject) {
  const { tag, response } = await ask(subject, (current) => current);
  if (response.status !== 304) throw new NotObservable("no 304 for the current tag");
  return { tag, response };
}

/** What conditional requests are answered with (RFC 9110 13.1.2). */
export const conditionRules: readonly Rule[] = [
  matching("304-same-tag", "The current tag is answered with 304", (tag) => tag),
  {
    id: "304-no-body",
    rule: "A 304 has no body",
    expected: "no byte after the header",
    run: async (subject) => {
      const { bytesAfterHeader } = (await readNotModified(subject)).response;
      return { holds: bytesAfterHeader === 0, seen: `${bytesAfterHeader} bytes` };
    },
  },
  {
    id: "304-etag",
    rule: "A 304 carries the tag that the 200 would (RFC 9110 15.4.5)",
    expected: "the same ETag",
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
    (tag) => `"not-this-one", ${tag}, "nor,this"`,
  ),
  matching("304-any", "* matches any pass that exists", () => "*"),
  matching("304-weak", "Tags are compared weakly", (tag) =>
    tag.startsWith("W/") ? opaque(tag) : `W/${tag}`,
  ),
  {
    id: "200-other-tag",
    rule: "Another tag is answered with the whole pass",
    expected: "200 with the body",
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
