import { expect } from "vitest";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { plainStore } from "./engine.ts";
import { startTestService } from "./service.ts";

/** A service whose passes are polled by clients of others, with their own caches. */
export interface PassPoll {
  readonly baseUrl: string;
  /** The headers that each request needs. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Publishes a pass, lets a client poll it thrice without a change between, and twice after one. Expects that the client
   * sees the pass as it is, and that the service sends each of its versions once.
   */
  readonly expectCached: (reference: string, read: () => Promise<string>) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startPassPoll(): Promise<PassPoll> {
  const service = await startTestService(plainStore);
  const { versionHeader, version, token } = service.demo.passes;
  const publish = async (reference: string, at: number): Promise<void> => {
    const text = `{"partner_reference":"${reference}","type":"loyalty_pass","version":${at}}`;
    const register = new PassRegister(service.table("Passes"));
    expect(await putPass(register, text)).toEqual({ outcome: "written" });
  };
  return {
    baseUrl: service.baseUrl,
    headers: { [versionHeader]: version, authorization: `Bearer ${token}` },
    expectCached: async (reference, read) => {
      const before = answered(service.lines).length;
      await publish(reference, 1);
      const bodies = [await read(), await read(), await read()];
      await publish(reference, 2);
      bodies.push(await read(), await read());
      const versions = bodies.map((body) => (JSON.parse(body) as { version: number }).version);
      expect(versions).toEqual([1, 1, 1, 2, 2]);
      expect(answered(service.lines).slice(before)).toEqual([200, 304, 304, 200, 304]);
    },
    close: () => service.close(),
  };
}

/** The statuses of the endpoint's answers, which a cache hides from its user. */
const answered = (lines: readonly string[]): number[] =>
  lines.flatMap((line) => {
    const { endpoint, status } = JSON.parse(line.slice(line.indexOf("{"))) as {
      endpoint?: string;
      status: number;
    };
    return endpoint === "get-pass" ? [status] : [];
  });
