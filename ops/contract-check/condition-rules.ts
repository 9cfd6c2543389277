import type { SeenResponse } from "../wallet/http-exchange.ts";
import type { SentRequest } from "../wallet/wallet.ts";
import { isSamePass } from "./content-rules.ts";
import {
  lastSent,
  lookAgain,
  NotObservable,
  opaque,
  type Rule,
  readCurrent,
  type Subject,
  shown,
} from "./rule.ts";

/** The pass as it is, and the answer to a request that names its tag in some way. */
interface Asked {
  readonly tag: string;
  readonly body: string;
  readonly bodyBytes: number;
  readonly response: SeenResponse;
  readonly sent: SentRequest;
}

/** The answer to the current tag, put into a header in some way, while the pass did not change. */
const ask = (
  subject: Subject,
  header: (tag: string) => string,
  more: Readonly<Record<string, string>> = {},
): Promise<Asked> =>
  lookAgain(async () => {
    const { tag, body, bodyBytes } = await readCurrent(subject, more);
    const { wallet, plan } = subject;
    const headers = { ...more, "If-None-Match": header(tag) };
    const response = await wallet.get({ reference: plan.reference, headers });
    const asked = { tag, body, bodyBytes, response, sent: lastSent(wallet) };
    if ([undefined, tag].includes(response.headers.etag)) return asked;
    // Another tag: either this answer alone has it, or it is the pass's by now.
    const now = await readCurrent(subject, more);
    if (now.tag === tag) return asked;
    if (now.body === body) throw new NotObservable("the tag of an unchanged pass does not stay");
    return undefined;
  });

/** A way to name the current tag, to which a 304 is the answer. */
interface Form extends Pick<Rule, "id" | "rule" | "why"> {
  readonly name: string;
  readonly header: (tag: string) => string;
}

const plainForm: Form = {
  id: "304-same-tag",
  rule: "The current tag is answered with 304",
  why: "When If-None-Match equals the tag of the unchanged pass, the answer is a 304 (contract, Rules 2).",
  name: "the tag itself",
  header: (tag) => tag,
};

const otherForms: readonly Form[] = [
  {
    id: "304-list",
    rule: "A list of tags that has the current one matches",
    why: "If-None-Match may list tags, of which one that matches is enough (RFC 9110 13.1.2).",
    name: "a list",
    header: (tag) => `"not-this-one", ${tag}, "nor,this"`,
  },
  {
    id: "304-any",
    rule: "* matches any pass that exists",
    why: "If-None-Match: * is false for whatever has a current state (RFC 9110 13.1.2), and the answer then a 304.",
    name: "*",
    header: () => "*",
  },
  {
    id: "304-weak",
    rule: "Tags are compared weakly",
    why: "For If-None-Match a tag with W/ in front equals the one without (RFC 9110 13.1.2, 8.8.3.2).",
    name: "a weak tag",
    header: (tag) => (tag.startsWith("W/") ? opaque(tag) : `W/${tag}`),
  },
];

const matching = ({ id, rule, why, header }: Form): Rule => ({
  id,
  rule,
  expected: "304",
  why,
  run: async (subject) => {
    const { response, sent } = await ask(subject, header);
    return { holds: response.status === 304, seen: String(response.status), shownBy: [sent] };
  },
});

/** The 304 to the plain tag. @throws {NotObservable} when there is none. */
async function readNotModified(subject: Subject): Promise<Asked> {
  const asked = await ask(subject, plainForm.header);
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
    const { response, sent } = await ask(subject, (tag) => tag, { "Accept-Encoding": "gzip" });
    return { holds: response.status === 304, seen: String(response.status), shownBy: [sent] };
  },
};

const emptyNotModified: Rule = {
  id: "304-no-body",
  rule: "A 304 has no body",
  expected: "no byte after the header",
  why: "A 304 ends with its header; what follows is taken for the beginning of the next answer (RFC 9110 15.4.5).",
  run: ({ wallet, plan }) =>
    // The wire is read as it comes: a limit is met there as well as a change, and waited out before the next look.
    lookAgain(async () => {
      const { tag } = await readNotModified({ wallet, plan });
      const headers = { "If-None-Match": tag };
      const { status, strayBytes } = await wallet.readWire({ reference: plan.reference, headers });
      return status === 304 ? { holds: strayBytes === 0, seen: `${strayBytes} bytes` } : undefined;
    }, "another answer in place of the 304, each time"),
};

/**
 * Whether a 304 has the tag of the 200. Something in front may weaken the tag of whatever it could change on its way,
 * and a 304 has no content to change: then it is the strong one.
 */
const isTagOf = (tag: string, { headers: { etag } }: SeenResponse): boolean =>
  etag === tag || (tag.startsWith("W/") && etag === opaque(tag));

const taggedNotModified: Rule = {
  id: "304-etag",
  rule: "Every 304 carries the tag that the 200 would (RFC 9110 15.4.5)",
  expected: "the same ETag, whatever If-None-Match says",
  why: "A 304 has the ETag that the 200 would have had (RFC 9110 15.4.5): a client that keeps another one asks with that from then on.",
  run: async (subject) => {
    let answers = 0;
    for (const { name, header } of [plainForm, ...otherForms]) {
      const { tag, response, sent } = await ask(subject, header);
      // Another answer is another rule's finding.
      if (response.status !== 304) continue;
      answers += 1;
      if (isTagOf(tag, response)) continue;
      const { etag } = response.headers;
      return {
        holds: false,
        seen: `${etag === undefined ? "no ETag" : "another"} on the 304 to ${name}`,
        shownBy: [sent],
      };
    }
    if (answers === 0) throw new NotObservable("no 304 for the current tag");
    return { holds: true, seen: "the same" };
  },
};

/** Tags that are near to the current one, and none of them equal to it. */
function nearTags(tag: string): string {
  const inner = opaque(tag).slice(1, -1);
  const otherCase = inner.replace(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [`x${inner}`, `${inner}x`, otherCase, "*", "not-this-one"]
    .filter((near) => near !== inner)
    .map((near) => `"${near}"`)
    .join(", ");
}

/** What conditional requests are answered with (RFC 9110 13.1.2). */
export const conditionRules: readonly Rule[] = [
  matching(plainForm),
  unchangedToGzip,
  emptyNotModified,
  {
    id: "304-content-length",
    rule: "A Content-Length on a 304 is that of the 200 (RFC 9110 8.6)",
    expected: "absent, or the 200's",
    why: "On a 304 it is the length that the 200 would have had, and no other (RFC 9110 8.6).",
    run: async (subject) => {
      const { response, bodyBytes, sent } = await readNotModified(subject);
      const length = response.headers["content-length"];
      const holds = length === undefined || length === String(bodyBytes);
      return { holds, seen: shown(length, subject), shownBy: [sent] };
    },
  },
  taggedNotModified,
  ...otherForms.map(matching),
  {
    id: "200-other-tag",
    rule: "Another tag is answered with the whole pass and its tag",
    expected: "200 with the body and the ETag",
    why: "Tags are compared as a whole, letter by letter (RFC 9110 8.8.3.2): one that has the current tag within it is another. The answer is the 200 of any request (contract, Rules 1).",
    run: async (subject) => {
      const { response, body, tag, sent } = await ask(subject, nearTags);
      const isWhole = body !== "" && isSamePass(response.body, body, tag);
      const isTagged = response.headers.etag === tag;
      return {
        holds: response.status === 200 && isWhole && isTagged,
        seen: `${response.status} with ${isWhole ? "the" : "another"} body, ${isTagged ? "the" : "another or no"} ETag`,
        shownBy: [sent],
      };
    },
  },
];
