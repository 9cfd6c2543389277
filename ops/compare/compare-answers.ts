import {
  type BodyDifference,
  decodedBody,
  errorForm,
  recordForm,
  shapeDifference,
  textDifference,
} from "./body-form.ts";
import { comparedValue, isCompared } from "./header-values.ts";
import { type Answer, fieldOf } from "./read-answer.ts";
import type { Seen } from "./send-message.ts";
import type { Side } from "./side.ts";

/** What came back from a side. */
export interface SideSeen {
  readonly side: Pick<Side, "mask">;
  readonly seen: Seen;
}

/** Something that differs between two answers. The texts have no secrets. */
export interface Difference {
  /** `answer`, `status`, `body`, `header NAME` or `spelling of NAME`. */
  readonly aspect: string;
  readonly left: string;
  readonly right: string;
}

/**
 * What differs between two answers. Where one has no answer or the status differs, the rest differs as a matter of
 * course and is not compared.
 *
 * @param isExact whether both sides have the same records.
 */
export function differencesOf(left: SideSeen, right: SideSeen, isExact: boolean): readonly Difference[] {
  if (left.seen.kind === "none" || right.seen.kind === "none")
    return unless(summary(left), summary(right), "answer");
  if (left.seen.status !== right.seen.status)
    return [{ aspect: "status", left: summary(left), right: summary(right) }];
  const [one, other] = [readFields(left, left.seen, isExact), readFields(right, right.seen, isExact)];
  return [
    ...headerDifferences(one, other),
    ...bodyDifference(textOf(left, left.seen), textOf(right, right.seen), left.seen.status, isExact),
  ];
}

const unless = (left: string, right: string, aspect: string): readonly Difference[] =>
  left === right ? [] : [{ aspect, left, right }];

const SHOWN_MAX = 60;
const HEADER_SHOWN_MAX = 1_000;

const shortened = (text: string, max = SHOWN_MAX): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

const shownValue = (header: SeenHeader | undefined): string =>
  header === undefined ? "absent" : shortened(header.value, HEADER_SHOWN_MAX);

/** An answer in a few words: its status and the beginning of an error, or why there is none. */
function summary({ side, seen }: SideSeen): string {
  if (seen.kind === "none") return seen.why;
  const text = errorForm(textOf({ side, seen }, seen));
  const code = /"code":"([a-z_]+)"/.exec(text)?.[1];
  if (seen.status < 400 || text === "") return String(seen.status);
  return `${seen.status} ${shortened(code ?? text)}`;
}

const textOf = ({ side }: SideSeen, answer: Answer): string =>
  side.mask(decodedBody(answer.body, answer.isDecoded ? undefined : fieldOf(answer, "content-encoding")));

/** A header of an answer. */
interface SeenHeader {
  /** As it was spelt on the wire. */
  readonly spelling: string;
  readonly value: string;
}

/** The headers that are compared, by their names in lower case. Lines of one name are joined (RFC 9110, section 5.3). */
function readFields({ side }: SideSeen, answer: Answer, isExact: boolean): ReadonlyMap<string, SeenHeader> {
  const lines = Map.groupBy(answer.fields, ([spelling]) => spelling.toLowerCase());
  return new Map(
    Array.from(lines)
      .filter(([name]) => isCompared(name, answer.status))
      .map(([name, fields]) => {
        const value = side.mask(fields.map(([, one]) => one).join(", "));
        const spelling = fields.at(-1)?.[0] ?? name;
        return [name, { spelling, value: comparedValue(name, value, isExact) }];
      }),
  );
}

function headerDifferences(
  left: ReadonlyMap<string, SeenHeader>,
  right: ReadonlyMap<string, SeenHeader>,
): readonly Difference[] {
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [left.get(name), right.get(name)];
    if (one === undefined || other === undefined || one.value !== other.value)
      return [{ aspect: `header ${shortened(name)}`, left: shownValue(one), right: shownValue(other) }];
    return unless(shortened(one.spelling), shortened(other.spelling), `spelling of ${shortened(name)}`);
  });
}

function bodyDifference(
  left: string,
  right: string,
  status: number,
  isExact: boolean,
): readonly Difference[] {
  const difference: BodyDifference | undefined =
    status >= 400
      ? textDifference(errorForm(left), errorForm(right))
      : isExact
        ? textDifference(recordForm(left), recordForm(right))
        : shapeDifference(left, right);
  return difference === undefined ? [] : [{ aspect: "body", ...difference }];
}
