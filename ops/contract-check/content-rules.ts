import { BODY_BYTES_MAX, type SeenResponse } from "../wallet/http-exchange.ts";
import { isEntityTag, NotObservable, type Rule, readCurrent, type Subject, shown } from "./rule.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Why a body is not the pass as a JSON object; undefined when it is. */
function faultOf({ body, headers, isCut, isUtf8 }: SeenResponse, subject: Subject): string | undefined {
  // Codings are allowed to whoever asks for them, and we asked for none.
  const coding = headers["content-encoding"] ?? "identity";
  if (coding.toLowerCase() !== "identity") return `Content-Encoding: ${shown(coding, subject)}, unasked`;
  if (isCut) return `a body of more than ${BODY_BYTES_MAX} bytes`;
  if (!isUtf8) return "a body that is not UTF-8";
  return isObject(parse(body)) ? undefined : "no JSON object";
}

/** What a 200 is. */
export const contentRules: readonly Rule[] = [
  {
    id: "pass-200",
    rule: "A pass that exists is answered whole",
    expected: "200 with a JSON object",
    run: async (subject) => {
      const response = await subject.wallet.get({ reference: subject.plan.reference });
      const fault = faultOf(response, subject);
      return {
        holds: response.status === 200 && fault === undefined,
        seen: `${response.status} with ${fault ?? "a JSON object"}`,
      };
    },
  },
  {
    id: "etag-on-200",
    rule: "Every 200 carries an ETag",
    expected: "ETag: one quoted entity tag",
    run: async (subject) => {
      const { status, headers } = await subject.wallet.get({ reference: subject.plan.reference });
      if (status !== 200) throw new NotObservable("no 200 for the reference");
      return { holds: isEntityTag(headers.etag), seen: `ETag: ${shown(headers.etag, subject)}` };
    },
  },
  {
    id: "etag-stable",
    rule: "The tag of an unchanged pass stays",
    expected: "the same ETag for the same body",
    run: async (subject) => {
      const [first, second] = [await readCurrent(subject), await readCurrent(subject)];
      const isSame = first.tag === second.tag;
      if (first.body !== second.body) throw new NotObservable("the pass changed meanwhile");
      return { holds: isSame, seen: isSame ? "the same" : "another ETag for the same body" };
    },
  },
  {
    id: "no-template-id",
    rule: "template_id is never in the response",
    expected: "no member of this name at the top level",
    run: async ({ wallet, plan }) => {
      const { status, body } = await wallet.get({ reference: plan.reference });
      if (status !== 200) throw new NotObservable("no 200 for the reference");
      const pass = parse(body);
      // What partners put within semantics is theirs to name.
      const isThere = isObject(pass) && Object.hasOwn(pass, "template_id");
      return { holds: !isThere, seen: isThere ? "template_id in the body" : "none" };
    },
  },
];
