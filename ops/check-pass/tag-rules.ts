import { NotObservable } from "../checks/rule.ts";
import type { SeenResponse } from "../wallet/http-exchange.ts";
import type { Answer, SentRequest } from "../wallet/wallet.ts";
import { isSamePass } from "./pass-content.ts";
import {
  ask,
  type Current,
  currentIn,
  lookAgain,
  opaque,
  type PassRule,
  readCurrent,
  readEarliest,
  type Seen,
  type Subject,
  seenStatus,
  shown,
} from "./subject.ts";

/** The current pass, and the answer to a request with its tag in some form. */
interface Asked {
  readonly current: Current;
  readonly response: Answer;
}

/** Sends the current tag in some form of If-None-Match; repeats that when the pass changed meanwhile. */
const askWithTag = (
  subject: Subject,
  header: (tag: string) => string,
  more: Readonly<Record<string, string>> = {},
): Promise<Asked> =>
  lookAgain(async () => {
    const current = await readCurrent(subject, more);
    const { tag, body } = current;
    const response = await ask(subject, { ...more, "If-None-Match": header(tag) });
    if ([undefined, tag].includes(response.headers.etag)) return { current, response };
    // The tag is another: either only this answer has it, or the pass has it by now.
    const now = await readCurrent(subject, more);
    if (now.tag === tag) return { current, response };
    if (now.body === body) throw new NotObservable("the tag of an unchanged pass changes");
    return undefined;
  });

/** A form of If-None-Match that matches the current tag, so that the answer is a 304. */
interface Form extends Pick<PassRule, "id" | "level" | "rule" | "why"> {
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

const matching = ({ header, ...about }: Form): PassRule => ({
  ...about,
  expected: "304",
  run: async (subject) => {
    const { response } = await askWithTag(subject, header);
    return seenStatus(response, response.status === 304);
  },
});

/** The 304 to the plain tag. @throws {NotObservable} when there is none. */
async function readNotModified(subject: Subject): Promise<Asked> {
  const asked = await askWithTag(subject, plainForm.header);
  if (asked.response.status !== 304) throw new NotObservable("no 304 for the current tag");
  return asked;
}

/**
 * Whether a 304 has the tag of the 200. A proxy may weaken the tag of an answer whose content it could change. A 304
 * has no content, so it may keep the strong tag.
 */
const isTagOf = (tag: string, { headers: { etag } }: SeenResponse): boolean =>
  etag === tag || (tag.startsWith("W/") && etag === opaque(tag));

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
export const conditionRules: readonly PassRule[] = [
  matching(plainForm),
  {
    // For clients that accept compression: a proxy in front of the endpoint may have given the answer another tag.
    id: "304-gzip",
    rule: "A tag received with Accept-Encoding: gzip is answered with 304 when it is sent back with it",
    expected: "304",
    why: "A tag that a 200 gave is answered with 304 while the pass is unchanged (contract, Rules 2). A server or proxy that gives a compressed answer its own tag must recognise that tag (RFC 9110 8.8.3.3).",
    run: async (subject) => {
      await readNotModified(subject);
      const { response } = await askWithTag(subject, (tag) => tag, { "Accept-Encoding": "gzip" });
      return seenStatus(response, response.status === 304);
    },
  },
  {
    id: "304-no-body",
    rule: "A 304 has no body",
    expected: "no byte after the header",
    why: "A 304 has no body (contract, Rules 2) and ends with its header (RFC 9110 15.4.5): clients read any byte after it as the beginning of the next answer.",
    run: (subject) =>
      // `readWire` does not wait after a 429 or 503 and does not notice a change of the pass; the next look does both.
      lookAgain(async () => {
        const headers = { "If-None-Match": (await readNotModified(subject)).current.tag };
        const { wallet, plan } = subject;
        const { status, strayBytes } = await wallet.readWire({ reference: plan.reference, headers });
        return status === 304 ? { holds: strayBytes === 0, seen: `${strayBytes} bytes` } : undefined;
      }, "another answer in place of the 304, each time"),
  },
  {
    id: "304-content-length",
    level: "RFC",
    rule: "A Content-Length on a 304 is that of the 200",
    expected: "absent, or the 200's",
    why: "On a 304, Content-Length must be the length that the 200 would have had (RFC 9110 8.6).",
    run: async (subject) => {
      const { response, current } = await readNotModified(subject);
      const length = response.headers["content-length"];
      const holds = length === undefined || length === String(current.bodyBytes);
      return { holds, seen: shown(length, subject), shownBy: [response.request] };
    },
  },
  {
    id: "304-etag",
    level: "RFC",
    rule: "Every 304 carries the tag that the 200 would",
    expected: "the same ETag, whatever If-None-Match says",
    why: "A 304 has the ETag that the 200 would have had (RFC 9110 15.4.5): a client may keep the ETag of the 304 and send it from then on.",
    run: async (subject) => {
      let answers = 0;
      for (const { name, header } of [plainForm, ...otherForms]) {
        const { current, response } = await askWithTag(subject, header);
        // Another status is judged by another rule.
        if (response.status !== 304) continue;
        answers += 1;
        if (isTagOf(current.tag, response)) continue;
        const what = response.headers.etag === undefined ? "no ETag" : "another ETag";
        return { holds: false, seen: `${what} on the 304 to ${name}`, shownBy: [response.request] };
      }
      if (answers === 0) throw new NotObservable("no 304 for the current tag");
      return { holds: true, seen: "the same" };
    },
  },
  ...otherForms.map(matching),
  {
    id: "200-other-tag",
    rule: "Another tag is answered with the whole pass and its tag",
    expected: "200 with the body and the ETag",
    why: "Tags are compared whole, character by character (RFC 9110 8.8.3.2): a tag that contains the current one is another tag. The answer is the same 200 as without a tag (contract, Rules 1).",
    run: async (subject) => {
      const { response, current } = await askWithTag(subject, nearTags);
      const { body, tag } = current;
      const isWhole = body !== "" && isSamePass(response.body, body, tag);
      const isTagged = response.headers.etag === tag;
      return {
        holds: response.status === 200 && isWhole && isTagged,
        seen: `${response.status} with ${isWhole ? "the" : "another"} body, ${isTagged ? "the" : "another or no"} ETag`,
        shownBy: [response.request],
      };
    },
  },
];

/** How old a tag is at least when it is sent again. Tags that are made of the time change within a second or two. */
const AGE_MS = 2_100;
/** A pass that changes so often meanwhile is not judged. */
const CHANGES_MAX = 3;
/** A tag may be lost once, as at midnight or with a deployment. How often, and after what pause, it is sent again then. */
const LOOKS_AFTER_LOSS = 5;
const LOOK_MS = 1_000;

/** The answer to a tag of the pass: undefined for a 304, or else the pass as it is now. */
async function askAgain(subject: Subject, { tag }: Current): Promise<Current | undefined> {
  const response = await ask(subject, { "If-None-Match": tag });
  if (response.status === 304) return undefined;
  const now = currentIn(response);
  if (now.tag === tag) throw new NotObservable("no 304 for the current tag");
  return now;
}

/**
 * The answer to the first tag of the pass, once it is old enough: undefined for a 304, or else the same pass under another
 * tag. A pass that has changed meanwhile has a new first tag. @throws {NotObservable}
 */
async function askWithFirstTag(subject: Subject): Promise<Current | undefined> {
  let known = await readEarliest(subject);
  for (let changes = 0; changes <= CHANGES_MAX; changes++) {
    await subject.wallet.wait(Math.max(0, known.answeredAt + AGE_MS - subject.wallet.options.clock()));
    const now = await askAgain(subject, known);
    if (now === undefined || now.body === known.body) return now;
    known = now;
  }
  throw new NotObservable("the pass changed meanwhile, each time");
}

/** Follows a pass whose tag was lost once, until the next tag is lost as well or has been kept for some looks. */
async function followLoss(subject: Subject, lost: SentRequest, after: Current): Promise<Seen> {
  for (let looks = 0; looks < LOOKS_AFTER_LOSS; looks++) {
    const now = await askAgain(subject, after);
    if (now !== undefined && now.body !== after.body) throw new NotObservable("the pass changed meanwhile");
    if (now !== undefined)
      return {
        holds: false,
        seen: "200, the same body and another ETag, again and again",
        shownBy: [lost, now.request],
      };
    await subject.wallet.wait(LOOK_MS);
  }
  return { holds: true, seen: "another ETag once, and then the same" };
}

/**
 * The rule that a tag lasts as long as its pass. Whether the pass has changed meanwhile is decided by its body: a tag of
 * the time, of a counter or of a random number would say that it always has. It comes late, so that time goes by between
 * the first answer and the last.
 */
export const keptTagRule: PassRule = {
  id: "etag-stable",
  rule: "The tag of an unchanged pass stays the same",
  expected: "304 for the first tag, as long as the body is the same",
  why: "A tag stands for a state of the pass, and is answered with 304 as long as the pass is unchanged (contract, Entity tag, Rules 2): if it changes by itself, no poll ends in a 304.",
  run: async (subject) => {
    const now = await askWithFirstTag(subject);
    if (now === undefined) return { holds: true, seen: "304" };
    return followLoss(subject, now.request, now);
  },
};

/** The time that a server gets to bring a change to all its replicas before it is asked again. */
const SETTLE_MS = 1_000;
/** The most looks at a change, {@link SETTLE_MS} apart. */
const SETTLE_LOOKS_MAX = 3;

/** The answer to a plain request once the pass has changed. @throws {NotObservable} when it does not change. */
const readChanged = (subject: Subject, before: Current) =>
  lookAgain(
    async () => {
      const now = await ask(subject);
      if (now.status !== 200 || now.body !== before.body) return now;
      await subject.wallet.wait(SETTLE_MS);
      return undefined;
    },
    "the command changed nothing",
    SETTLE_LOOKS_MAX,
  );

/** The answer after a change to a request with the tag from before the change. */
async function askWithOldTag(subject: Subject, before: Current): Promise<Seen> {
  const now = await readChanged(subject, before);
  const after = await ask(subject, { "If-None-Match": before.tag });
  const hasNewTag = after.headers.etag !== undefined && after.headers.etag !== before.tag;
  const hasNewBody = after.status === 200 && after.body !== before.body;
  // With a third tag the pass has changed again, and there is no body to compare with.
  const { etag = "" } = now.headers;
  const isWhole = after.headers.etag !== etag || isSamePass(after.body, now.body, etag);
  const body = hasNewBody ? (isWhole ? "another" : "not the whole") : "no new";
  return {
    holds: hasNewBody && hasNewTag && isWhole,
    seen: `${after.status}, ${body} body, ${hasNewTag ? "another" : "no new"} ETag`,
  };
}

/** The rule about a change of the pass. */
export const changeRule: PassRule = {
  id: "200-after-change",
  rule: "A changed pass is answered whole, with a new tag",
  expected: "200, another body, another ETag",
  why: "A changed pass is answered with 200, the full pass and a new ETag (contract, Rules 3).",
  needs: ["--changed-by"],
  run: async (subject) => {
    const before = await readCurrent(subject);
    await subject.plan.change?.();
    let observation = await askWithOldTag(subject, before);
    for (let looks = 1; looks < SETTLE_LOOKS_MAX && !observation.holds; looks++) {
      await subject.wallet.wait(SETTLE_MS);
      observation = await askWithOldTag(subject, before);
    }
    return observation;
  },
};
