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

/** The current pass, and the answer to a request with its tag in some form. */
interface Asked {
  readonly tag: string;
  readonly body: string;
  readonly bodyBytes: number;
  readonly response: SeenResponse;
  readonly sent: SentRequest;
}

/** Sends the current tag in some form of If-None-Match; repeats that when the pass changed meanwhile. */
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
    // The tag is another: either only this answer has it, or the pass has it by now.
    const now = await readCurrent(subject, more);
    if (now.tag === tag) return asked;
    if (now.body === body) throw new NotObservable("the tag of an unchanged pass changes");
    return undefined;
  });

/** A form of If-None-Match that matches the current tag, so that the answer is a 304. */
interface Form extends Pick<Rule, "id" | "level" | "rule" | "why"> {
  readonly name: string;
  readonly header: (tag: string) => string;
}

const plainForm: Form = {
  id: "304-same-tag",
  level: "contract",
  rule: "The current tag is answered with 304",
  why: "When If-None-Match equals the tag of the unchanged pass, the answer is a 304 (contract, Rules 2).",
  name: "the tag itself",
  header: (tag) => tag,
};

const otherForms: readonly Form[] = [
  {
    id: "304-list",
    level: "RFC",
    rule: "A list of tags matches if the current one is in it",
    why: "If-None-Match may list tags, and one match is enough (RFC 9110 13.1.2).",
    name: "a list",
    header: (tag) => `"not-this-one", ${tag}, "nor,this"`,
  },
  {
    id: "304-any",
    level: "RFC",
    rule: "* matches any pass that exists",
    why: "If-None-Match: * is false for anything that has a current representation (RFC 9110 13.1.2), and the answer is then a 304.",
    name: "*",
    header: () => "*",
  },
  {
    id: "304-weak",
    level: "RFC",
    rule: "Tags are compared weakly",
    why: "For If-None-Match, a tag with W/ in front equals the same tag without it (RFC 9110 13.1.2, 8.8.3.2).",
    name: "a weak tag",
    header: (tag) => (tag.startsWith("W/") ? opaque(tag) : `W/${tag}`),
  },
];

const matching = ({ id, level, rule, why, header }: Form): Rule => ({
  id,
  level,
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

/** For clients that accept compression: a proxy in front of the endpoint may have given the answer another tag. */
const unchangedToGzip: Rule = {
  id: "304-gzip",
  level: "contract",
  rule: "A tag received with Accept-Encoding: gzip is answered with 304 when it is sent back with it",
  expected: "304",
  why: "A tag that a 200 gave is answered with 304 while the pass is unchanged (contract, Rules 2). A server or proxy that gives a compressed answer its own tag must recognise that tag (RFC 9110 8.8.3.3).",
  run: async (subject) => {
    await readNotModified(subject);
    const { response, sent } = await ask(subject, (tag) => tag, { "Accept-Encoding": "gzip" });
    return { holds: response.status === 304, seen: String(response.status), shownBy: [sent] };
  },
};

const emptyNotModified: Rule = {
  id: "304-no-body",
  level: "contract",
  rule: "A 304 has no body",
  expected: "no byte after the header",
  why: "A 304 has no body (contract, Rules 2) and ends with its header (RFC 9110 15.4.5): clients read any byte after it as the beginning of the next answer.",
  run: ({ wallet, plan }) =>
    // `readWire` does not wait after a 429 or 503 and does not notice a change of the pass; the next look does both.
    lookAgain(async () => {
      const { tag } = await readNotModified({ wallet, plan });
      const headers = { "If-None-Match": tag };
      const { status, strayBytes } = await wallet.readWire({ reference: plan.reference, headers });
      return status === 304 ? { holds: strayBytes === 0, seen: `${strayBytes} bytes` } : undefined;
    }, "another answer in place of the 304, each time"),
};

/**
 * Whether a 304 has the tag of the 200. A proxy may weaken the tag of an answer whose content it could change. A 304
 * has no content, so it may keep the strong tag.
 */
const isTagOf = (tag: string, { headers: { etag } }: SeenResponse): boolean =>
  etag === tag || (tag.startsWith("W/") && etag === opaque(tag));

const taggedNotModified: Rule = {
  id: "304-etag",
  level: "RFC",
  rule: "Every 304 carries the tag that the 200 would",
  expected: "the same ETag, whatever If-None-Match says",
  why: "A 304 has the ETag that the 200 would have had (RFC 9110 15.4.5): a client may keep the ETag of the 304 and send it from then on.",
  run: async (subject) => {
    let answers = 0;
    for (const { name, header } of [plainForm, ...otherForms]) {
      const { tag, response, sent } = await ask(subject, header);
      // Another status is judged by another rule.
      if (response.status !== 304) continue;
      answers += 1;
      if (isTagOf(tag, response)) continue;
      const { etag } = response.headers;
      return {
        holds: false,
        seen: `${etag === undefined ? "no ETag" : "another ETag"} on the 304 to ${name}`,
        shownBy: [sent],
      };
    }
    if (answers === 0) throw new NotObservable("no 304 for the current tag");
    return { holds: true, seen: "the same" };
  },
};

/** Tags that resemble the current one, but are not equal to it. */
function nearTags(tag: string): string {
  const inner = opaque(tag).replaceAll('"', "");
  const otherCase = inner.replace(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [`x${inner}`, `${inner}x`, otherCase, "*", "not-this-one"]
    .filter((near) => near !== inner)
    .map((near) => `"${near}"`)
    .join(", ");
}

/** The rules about conditional requests (RFC 9110 13.1.2). */
export const conditionRules: readonly Rule[] = [
  matching(plainForm),
  unchangedToGzip,
  emptyNotModified,
  {
    id: "304-content-length",
    level: "RFC",
    rule: "A Content-Length on a 304 is that of the 200",
    expected: "absent, or the 200's",
    why: "On a 304, Content-Length must be the length that the 200 would have had (RFC 9110 8.6).",
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
    level: "contract",
    rule: "Another tag is answered with the whole pass and its tag",
    expected: "200 with the body and the ETag",
    why: "Tags are compared whole, character by character (RFC 9110 8.8.3.2): a tag that contains the current one is another tag. The answer is the same 200 as without a tag (contract, Rules 1).",
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
