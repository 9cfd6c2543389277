import { newRequestId, type Probe } from "../wallet/wallet.ts";
import { goneReference, lacksGone, unknownReference } from "./absence-rules.ts";
import { lacksWeakToken, withToken } from "./bad-credentials.ts";
import { lookAgain, observe, onceAnswered, type Rule, readCurrent, type Subject, shown } from "./rule.ts";

/** A probe that any server which keeps the contract answers with a status, and the option that it needs. */
interface Situation {
  readonly status: number;
  readonly lacks?: (subject: Subject) => string | undefined;
  readonly probe: (subject: Subject) => Probe | Promise<Probe>;
}

export const REQUEST_ID_WHY =
  "Request-Id is the wallet's correlation id, which the partner echoes (contract, Retrieve a pass): without it, neither side can find the request in the other's log.";

/** The rule that an answer with this status echoes the Request-Id. Another status is judged by another rule. */
const echoing = ({ status, lacks, probe }: Situation): Rule => ({
  id: `request-id-${status}`,
  level: "contract",
  rule: `Request-Id is echoed on a ${status}`,
  expected: "the value that was sent",
  why: REQUEST_ID_WHY,
  ...(lacks !== undefined && { lacks }),
  run: (subject) =>
    lookAgain(async () => {
      const sent = newRequestId();
      const { headers, ...rest } = await probe(subject);
      const response = await subject.wallet.get({ ...rest, headers: { ...headers, "Request-Id": sent } });
      if (response.status !== status) return undefined;
      const echoed = response.headers["request-id"];
      const isEcho = echoed === sent;
      return {
        holds: isEcho,
        seen: isEcho ? "the value that was sent" : `Request-Id: ${shown(echoed, subject)}`,
      };
    }, `no ${status}`),
});

/** The rules about Request-Id: its echo on each status that can be provoked, and a request without it. */
export const echoRules = (versionHeader: string): readonly Rule[] => [
  onceAnswered({
    id: "200-no-request-id",
    level: "contract",
    rule: "A request without Request-Id is answered",
    expected: "200",
    why: "Request-Id need not be sent (contract, Retrieve a pass: not required).",
    run: ({ wallet, plan }) =>
      observe(wallet, { reference: plan.reference, headers: { "Request-Id": undefined } }, 200),
  }),
  echoing({ status: 200, probe: ({ plan }) => ({ reference: plan.reference }) }),
  echoing({
    status: 304,
    probe: async (subject) => ({
      reference: subject.plan.reference,
      headers: { "If-None-Match": (await readCurrent(subject)).tag },
    }),
  }),
  echoing({
    status: 400,
    probe: ({ plan }) => ({ reference: plan.reference, headers: { [versionHeader]: "2999-01-01" } }),
  }),
  echoing({
    status: 401,
    probe: (subject) => withToken(subject, subject.plan.reference, "not-a-token"),
  }),
  echoing({
    status: 403,
    lacks: lacksWeakToken,
    probe: (subject) => withToken(subject, subject.plan.reference, subject.plan.noScopeToken ?? ""),
  }),
  echoing({ status: 404, probe: () => ({ reference: unknownReference() }) }),
  echoing({
    status: 410,
    lacks: lacksGone,
    probe: (subject) => ({ reference: goneReference(subject) }),
  }),
];
