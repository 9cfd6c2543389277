import { isEntityTag, NotObservable, type Rule, readCurrent, shown } from "./rule.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether a value or anything within it has a member of this name. */
function hasMember(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    (isObject(value) && Object.hasOwn(value, name)) ||
    Object.values(value).some((inner) => hasMember(inner, name))
  );
}

/** What a 200 is. */
export const contentRules: readonly Rule[] = [
  {
    id: "pass-200",
    rule: "A pass that exists is answered whole",
    expected: "200 with a JSON object",
    run: async ({ wallet, plan }) => {
      const { status, body } = await wallet.get({ reference: plan.reference });
      const content = isObject(parse(body)) ? "a JSON object" : "no JSON object";
      return { holds: status === 200 && isObject(parse(body)), seen: `${status} with ${content}` };
    },
  },
  {
    id: "etag-on-200",
    rule: "Every 200 carries an ETag",
    expected: "ETag: one quoted entity tag",
    run: async ({ wallet, plan }) => {
      const { status, headers } = await wallet.get({ reference: plan.reference });
      if (status !== 200) throw new NotObservable("no 200 for the reference");
      return { holds: isEntityTag(headers.etag), seen: `ETag: ${shown(headers.etag)}` };
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
    expected: "no member of this name",
    run: async ({ wallet, plan }) => {
      const { status, body } = await wallet.get({ reference: plan.reference });
      if (status !== 200) throw new NotObservable("no 200 for the reference");
      const isThere = hasMember(parse(body), "template_id");
      return { holds: !isThere, seen: isThere ? "template_id in the body" : "none" };
    },
  },
];
