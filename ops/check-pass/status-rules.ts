import { randomUUID } from "node:crypto";
import { newRequestId, type Probe } from "../wallet/wallet.ts";
import { withToken, withWeakToken } from "./bad-credentials.ts";
import { answering, lookAgain, type PassRule, readCurrent, type Subject, shown } from "./subject.ts";

/** A new reference, under which there is no pass. */
export const unknownReference = (): string => `check-${randomUUID()}`;

/** The reference of a pass that is gone. */
export const goneReference = ({ plan }: Subject): string => plan.goneReference ?? "";

/** The rules about a pass that does not exist. The wallet service stops polling on either answer. */
export const absenceRules: readonly PassRule[] = [
  answering({
    id: "404-unknown",
    rule: "A pass that never existed is answered with 404",
    why: "A pass that is not found is answered with 404, and the wallet then stops polling (contract, Retrieve a pass).",
    needsPass: true,
    status: 404,
    probe: () => ({ reference: unknownReference() }),
  }),
  answering({
    id: "410-gone",
    rule: "A pass that is gone for good is answered with 410",
    why: "A pass that is permanently gone is answered with 410, and the wallet then stops polling (contract, Retrieve a pass).",
    needs: ["--gone-reference"],
    needsPass: true,
    status: 410,
    probe: (subject) => ({ reference: goneReference(subject) }),
  }),
];

/** A version that is refused, and why. */
interface RefusedVersion extends Pick<PassRule, "id" | "rule" | "why"> {
  /** The header's value, made from the implemented version; undefined for a request without the header. */
  readonly versionOf: (implemented: string) => string | undefined;
}

const NOT_IMPLEMENTED =
  "A version that the partner does not implement is answered with 400 (contract, Rules 4)";
const FORM = "A version has the form YYYY-MM-DD (contract, Versioning)";
const LATER_VERSION = "2999-01-01";

/** Versions that no server implements. */
export const refusedVersions: readonly RefusedVersion[] = [
  {
    id: "400-version",
    rule: "A version that is not implemented is refused",
    versionOf: () => LATER_VERSION,
    why: `${NOT_IMPLEMENTED}.`,
  },
  {
    id: "400-old-version",
    rule: "A version from before the contract is refused",
    versionOf: () => "1999-01-01",
    why: `${NOT_IMPLEMENTED}, and no implemented version is so old.`,
  },
  {
    id: "400-longer-version",
    rule: "A version with something after it is refused",
    versionOf: (implemented) => `${implemented}x`,
    why: `${FORM}: a text that only begins with an implemented version does not name one.`,
  },
  {
    id: "400-no-version",
    rule: "A request without a version is refused",
    versionOf: () => undefined,
    why: "The header of the version is required (contract, Retrieve a pass): without it, the server does not know which contract is meant.",
  },
  {
    id: "400-not-a-version",
    rule: "A version that is not a date is refused",
    versionOf: () => "latest",
    why: `${FORM}: another text does not name an implemented one.`,
  },
];

/** A request for a pass in a version; undefined for none. */
export const inVersion = ({ wallet }: Subject, reference: string, version: string | undefined): Probe => ({
  reference,
  headers: { [wallet.options.versionHeader]: version },
});

/** A request for the pass in a version that no server implements. */
export const inLaterVersion = (subject: Subject): Probe =>
  inVersion(subject, subject.plan.reference, LATER_VERSION);

/** The rules about the contract version. */
export const versionRules: readonly PassRule[] = refusedVersions.map(({ versionOf, ...about }) =>
  answering({
    ...about,
    status: 400,
    needsPass: true,
    probe: (subject, reference) => inVersion(subject, reference, versionOf(subject.wallet.options.version)),
  }),
);

/** The parts of a rule that answers with a status echo the Request-Id. */
export const aboutEcho = (status: number) => ({
  id: `request-id-${status}`,
  rule: `Request-Id is echoed on a ${status}`,
  expected: "the value that was sent",
  why: "Request-Id is the wallet's correlation id, which the partner echoes (contract, Retrieve a pass): without it, neither side can find the request in the other's log.",
});

/** Whether an answer echoes an id. */
export const seenEcho = (echoed: string | undefined, sent: string | undefined, subject: Subject) =>
  echoed === sent
    ? { holds: true, seen: "the value that was sent" }
    : { holds: false, seen: `Request-Id: ${shown(echoed, subject)}` };

/**
 * The rule that an answer with this status echoes the Request-Id. Another status is judged by another rule.
 *
 * @param probeOf a probe that any server which keeps the contract answers with the status.
 */
const echoing = (
  status: number,
  probeOf: (subject: Subject) => Probe | Promise<Probe>,
  ...needs: NonNullable<PassRule["needs"]>
): PassRule => ({
  ...aboutEcho(status),
  needs,
  run: (subject) =>
    lookAgain(async () => {
      const sent = newRequestId();
      const { headers, ...rest } = await probeOf(subject);
      const response = await subject.wallet.get({ ...rest, headers: { ...headers, "Request-Id": sent } });
      return response.status === status ? seenEcho(response.headers["request-id"], sent, subject) : undefined;
    }, `no ${status}`),
});

/** The rules about Request-Id: its echo on each status that can be provoked, and a request without it. */
export const echoRules: readonly PassRule[] = [
  answering({
    id: "200-no-request-id",
    rule: "A request without Request-Id is answered",
    why: "Request-Id need not be sent (contract, Retrieve a pass: not required).",
    needsPass: true,
    status: 200,
    probe: (_, reference) => ({ reference, headers: { "Request-Id": undefined } }),
  }),
  echoing(200, ({ plan: { reference } }) => ({ reference })),
  echoing(304, async (subject) => ({
    reference: subject.plan.reference,
    headers: { "If-None-Match": (await readCurrent(subject)).tag },
  })),
  echoing(400, inLaterVersion),
  echoing(401, (subject) => withToken(subject, subject.plan.reference, "not-a-token")),
  echoing(403, (subject) => withWeakToken(subject, subject.plan.reference), "--no-scope-token-file"),
  echoing(404, () => ({ reference: unknownReference() })),
  echoing(410, (subject) => ({ reference: goneReference(subject) }), "--gone-reference"),
];
