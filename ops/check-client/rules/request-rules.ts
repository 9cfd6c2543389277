import { ownMember } from "../../../lib/own-member.ts";
import { defaultFreshness } from "../../../lib/signature/settings.ts";
import { places } from "../../../local/installation.ts";
import { explainSignature } from "../../../local/signing/explain-signature.ts";
import type { Visit } from "../visit.ts";
import {
  always,
  type ClientRule,
  type Evidence,
  fail,
  type Judgement,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

const CREDENTIAL_CODES: ReadonlySet<string> = new Set(["invalid_credentials", "timestamp_in_future"]);

const isUnsigned = ({ refusal }: Visit): boolean =>
  refusal !== undefined && CREDENTIAL_CODES.has(refusal.code);

/** The first request that the service itself refused for a reason that no other rule is about. */
function judgeAccepted({ visits, interfaceName }: Evidence): Judgement {
  if (visits.length === 0) return unseen("no request came");
  const refused = visits.find(
    (visit) =>
      visit.refusal !== undefined &&
      visit.refusal.code !== "invalid_cursor" &&
      !(interfaceName === "exchange" && isUnsigned(visit)),
  );
  if (refused?.refusal === undefined) return pass(`${visits.length} requests`);
  return fail(`${named(refused)} was refused: ${refused.refusal.code} (${refused.refusal.reason})`);
}

function judgeSignature(evidence: Evidence): Judgement {
  const { visits, brand, baseUrl, publicKeyHex } = evidence;
  if (visits.length === 0) return unseen("no request came");
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

function judgeAnew({ visits, brand }: Evidence): Judgement {
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
    levelOf: always("contract"),
    rule: "The service accepts every request",
    expected: "no 400 or 401 of the service's own",
    why: "A request with a wrong parameter, version or credential is refused each time that it is sent.",
    advice: `${places.shownDocuments}/errors.md says what to do about each code.`,
    judge: judgeAccepted,
  },
  {
    id: "signature",
    levelOf: always("contract"),
    rule: "Every request is signed as it is sent",
    expected: "a signature over exactly the path and query of the request",
    why: "The query is signed byte for byte: an HTTP library that sorts or encodes it again after signing breaks the signature.",
    advice: "Build the URL first, sign its text, and send that same text.",
    interfaces: ["exchange"],
    judge: judgeSignature,
  },
  {
    id: "signed-anew",
    levelOf: always("contract"),
    rule: "Every repetition is signed anew",
    expected: "no signature twice",
    why: "A signature is good for 30 seconds: a repetition with the old one fails just when the service was slow.",
    advice: "Sign within the loop of attempts, and not before it.",
    interfaces: ["exchange"],
    judge: judgeAnew,
  },
];
