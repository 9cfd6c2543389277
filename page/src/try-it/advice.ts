import { ask } from "../api/ask.ts";
import type { Answer } from "../api/send.ts";
import { errorBodyOf } from "./error-body.ts";
import type { PreparedRequest } from "./prepare-request.ts";

/** What to do after a refusal, and what is wrong with a signature, in the order in which to mend it. */
interface Advice {
  readonly advice: string;
  readonly findings: readonly string[];
}

/** What the local server advises. Where it does not, the answer stays as it is, so a failure is not shown. */
export async function adviceOn(sent: PreparedRequest, { status, text }: Answer): Promise<Advice> {
  const { code, timestamp: judgedAt = 0 } = errorBodyOf(text);
  const [{ advice }, { findings }] = await Promise.all([
    ask("advice", { status, ...(code !== undefined && { code }) }).catch(() => ({ advice: "" })),
    isAboutSignature(sent, status)
      ? ask("explain-signature", { url: sent.url.href, headers: sent.headers, judgedAt }).catch(() => none)
      : none,
  ]);
  return { advice, findings };
}

const none = { findings: [] };

/** A signature of the exchange was refused, or its time was. A detached JWS is explained by the log alone. */
const isAboutSignature = ({ signed }: PreparedRequest, status: number): boolean =>
  signed !== undefined && signed.protectedHeader === undefined && (status === 401 || status === 409);
