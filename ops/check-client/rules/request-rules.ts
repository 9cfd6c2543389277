import { ownMember } from "../../../lib/own-member.ts";
import { defaultFreshness } from "../../../lib/signature/settings.ts";
import { places } from "../../../local/installation.ts";
import { explainSignature } from "../../../local/signing/explain-signature.ts";
import type { Observation } from "../../checks/rule.ts";
import type { Ending } from "../scene.ts";
import type { Visit } from "../visit.ts";
import { type ClientRule, type Evidence, fail, named, pass, unseen } from "./client-rule.ts";

const CREDENTIAL_CODES: ReadonlySet<string> = new Set(["invalid_credentials", "timestamp_in_future"]);

const isUnsigned = ({ refusal }: Visit): boolean =>
  refusal !== undefined && CREDENTIAL_CODES.has(refusal.code);

/** The first request that the service itself refused for a reason that no other rule is about. */
function judgeAccepted({ visits, interfaceName }: Evidence): Observation {
  const refused = visits.find(
    (visit) =>
      visit.refusal !== undefined &&
      visit.refusal.code !== "invalid_cursor" &&
      !(interfaceName === "exchange" && isUnsigned(visit)),
  );
  if (refused?.refusal === undefined) return pass(`${visits.length} requests`);
  return fail(`${named(refused)} was refused: ${refused.refusal.code} (${refused.refusal.reason})`);
}

function judgeSignature(evidence: Evidence): Observation {
  const { visits, brand, baseUrl, publicKeyHex } = evidence;
  const wrong = visits.find(isUnsigned);
  if (wrong === undefined) return pass(`${visits.length} requests`);
  const request = { method: "GET", url: `${baseUrl}${wrong.target}`, headers: wrong.headers, hasBody: false };
  const findings = explainSignature(request, {
    brand,
    freshness: defaultFreshness,
    publicKeys: [{ hex: publicKeyHex, what: "the registered key" }],
    judgedAt: wrong.arrivedMs,
  });
  return fail(`${named(wrong)} was refused. ${findings.join(" ") || wrong.refusal?.reason}`);
}

function judgeAnew({ visits, brand }: Evidence): Observation {
  const signatures = new Map<string, Visit>();
  let repetitions = 0;
  for (const visit of visits) {
    const signature = ownMember(visit.headers, `${brand.headerPrefix}Signature`.toLowerCase());
    if (signature === undefined) continue;
    const before = signatures.get(signature);
    // Ed25519 signs the same text alike: two requests of one millisecond may have one signature.
    if (before !== undefined && before.arrivedMs < visit.arrivedMs)
      return fail(`${named(visit)} has the signature of ${named(before)}`);
    if ([...signatures.values()].some(({ target }) => target === visit.target)) repetitions += 1;
    signatures.set(signature, visit);
  }
  return repetitions === 0
    ? unseen("no request was repeated")
    : pass(`${repetitions} repetitions, each signed`);
}

/** The rules about requests themselves. */
export const requestRules: readonly ClientRule[] = [
  {
    id: "accepted",
    rule: "The service accepts every request",
    expected: "no 400 or 401 of the service's own",
    why: "A request with a wrong parameter, version or credential is refused each time that it is sent.",
    advice: `${places.shownDocuments}/errors.md says what to do about each code.`,
    run: judgeAccepted,
  },
  {
    id: "signature",
    rule: "Every request is signed as it is sent",
    expected: "a signature over exactly the path and query of the request",
    why: "The query is signed byte for byte: an HTTP library that sorts or encodes it again after signing breaks the signature.",
    advice: "Build the URL first, sign its text, and send that same text.",
    interfaces: ["exchange"],
    run: judgeSignature,
  },
  {
    id: "signed-anew",
    rule: "Every repetition is signed anew",
    expected: "no signature twice",
    why: "A signature is good for 30 seconds: a repetition with the old one fails just when the service was slow.",
    advice: "Sign within the loop of attempts, and not before it.",
    interfaces: ["exchange"],
    run: judgeAnew,
  },
];

/** Requests that met this ending, the first of each scene. */
function endingsOf({ visits }: Evidence, ending: Ending): Visit[] {
  const met = visits.filter(({ step }) => step?.answer === ending && step.trouble === undefined);
  return met.filter((visit, at) => met.findIndex(({ step }) => step?.act === visit.step?.act) === at);
}

/** A client may fetch a new token after a 401; a request with it is another one. */
const hasSameToken = (one: Visit, other: Visit): boolean =>
  one.headers.authorization === other.headers.authorization;

function judgeStop(evidence: Evidence, ending: Ending, status: number): Observation {
  const met = endingsOf(evidence, ending);
  if (met.length === 0) return unseen(`no ${status} was met`);
  for (const visit of met) {
    const again = evidence.visits.find(
      (later) =>
        later.number > visit.number &&
        later.run === visit.run &&
        later.endpoint === visit.endpoint &&
        later.step?.act === visit.step?.act &&
        hasSameToken(later, visit),
    );
    if (again !== undefined)
      return fail(
        `${named(again)} repeated ${named(visit)} ${again.arrivedMs - visit.answeredMs} ms after its ${status}`,
      );
  }
  return pass(`no repetition of ${met.map(named).join(", ")}`);
}

interface Stop extends Pick<ClientRule, "level" | "why" | "advice" | "interfaces"> {
  readonly ending: Ending;
  readonly status: number;
}

/** The interfaces on which a refusal ends a question. A pass is polled further: its contract ends that at 404 and 410 only. */
const answeredForGood = ["exchange", "business", "ramp"] as const;
/** The ramp has no scopes. */
const scoped = ["exchange", "business"] as const;

const stops: readonly Stop[] = [
  {
    ending: "refused",
    level: "advice",
    status: 401,
    why: "The same credential is refused again, and repeated refusals look like an attack.",
    advice: "End with the message and the error_id, or fetch a new token once.",
    interfaces: answeredForGood,
  },
  {
    ending: "forbidden",
    level: "advice",
    status: 403,
    why: "Only the operator can grant the scope that the credential lacks.",
    advice: "End with the message and the error_id.",
    interfaces: scoped,
  },
  {
    ending: "missing",
    level: "contract",
    status: 404,
    why: "A pass that is answered with 404 does not exist: the contract says that the wallet then stops polling.",
    advice: "Stop polling this pass after a 404.",
    interfaces: ["passes"],
  },
  {
    ending: "gone",
    level: "contract",
    status: 410,
    why: "A pass that is answered with 410 is gone for good: the contract says that the wallet then stops polling.",
    advice: "Stop polling this pass after a 410.",
    interfaces: ["passes"],
  },
];

const stopRule = ({ ending, status, ...rest }: Stop): ClientRule => ({
  ...rest,
  id: `${status}-stops`,
  rule: `A request is not repeated after a ${status}`,
  expected: "no further request",
  run: (evidence) => judgeStop(evidence, ending, status),
});

/** Whether the name of a header says that its value proves the caller. */
const isCredential = (name: string, prefix: string): boolean =>
  ["authorization", "x-api-key", "jws-signature"].includes(name) || name.startsWith(prefix.toLowerCase());

function judgeRedirect(evidence: Evidence): Observation {
  const redirected = endingsOf(evidence, "redirected");
  if (redirected.length === 0) return unseen("no redirect was met");
  const targets = new Set(redirected.map(({ target }) => target));
  const followed = evidence.astray.filter(({ target }) => targets.has(target));
  const leaked = followed.flatMap(({ headers }) =>
    Object.keys(headers).filter((name) => isCredential(name, evidence.brand.headerPrefix)),
  );
  if (leaked.length > 0) return fail(`the other host got ${[...new Set(leaked)].join(", ")}`);
  return pass(followed.length > 0 ? "followed without credentials" : "not followed");
}

/** The rules about answers after which a request must not be sent again, or not to the named host. */
export const endingRules: readonly ClientRule[] = [
  ...stops.map(stopRule),
  {
    id: "redirect-without-credentials",
    level: "RFC",
    rule: "Credentials are not sent to another host",
    expected: "no credential at the host that a redirect names",
    why: "A client must not hand its credentials on to another host (RFC 9110 15.4). The service never redirects: a redirect comes from something in between, and HTTP libraries send headers of their own names on to any host.",
    advice: 'Switch redirects off, as with redirect: "error" of fetch.',
    run: judgeRedirect,
  },
];
