import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DISK_FULL_EXCEPTION } from "../../../local/store/full-disk.ts";
import { given } from "../../support/faults/acts.ts";
import { askAll, askTogether, expectAnswers, expectNoSecretIn } from "../../support/faults/expect-answer.ts";
import {
  clockFaults,
  fullDisk,
  issuerFaults,
  KEYLESS_MS,
  type KeyAge,
  keyAges,
  threadFaults,
} from "../../support/faults/fault-tables.ts";
import { startFaultyStack } from "../../support/faults/faulty-stack.ts";
import { type EndpointName, everywhere, whereTokens } from "../../support/faults/outcomes.ts";

/** Functions forget credentials and switches within this time, and the issuer's keys within the next. */
const MEMORY_MS = 6_000;
const KEYS_MS = 11 * 60_000;
/** After a fetch that brought nothing new, the issuer is left alone for so long. */
const COOL_MS = 31_000;

const stack = await startFaultyStack();
const sound = await askAll(stack);
afterEach(() => {
  stack.clocks.setAhead(0);
  expectNoSecretIn(stack);
});
afterAll(() => stack.close());

const expectAsEver = async (): Promise<void> =>
  expectAnswers(await askAll(stack), everywhere("served"), sound);

describe.each(Object.keys(keyAges) as KeyAge[])("with keys of this age: %s", (age) => {
  const faults = issuerFaults.flatMap(({ what, act, waits, answers }) => {
    const cells = answers[age];
    return cells === undefined ? [] : [{ what, act, waits, cells }];
  });

  test.each(faults)(
    "the token issuer $what: each endpoint answers as decided, in time, and as ever afterwards",
    async ({ act, waits, cells }) => {
      stack.clocks.pass(keyAges[age].ageMs);
      const ask = waits === true ? askTogether : askAll;
      expectAnswers(await stack.issuer.under(act, () => ask(stack)), cells, sound);
      stack.clocks.pass(age === "none" ? KEYLESS_MS : COOL_MS);
      await expectAsEver();
    },
  );
});

describe("an issuer that rotates its keys", () => {
  const published = async (issuerUrl: string): Promise<readonly unknown[]> =>
    ((await (await fetch(issuerUrl)).json()) as { readonly keys: readonly unknown[] }).keys;
  /** Runs work while the issuer publishes these keys. */
  const publishing = (keys: readonly unknown[], work: () => Promise<void>): Promise<void> =>
    stack.issuer.under(given(200, JSON.stringify({ keys })), work);
  const byNewKey = async (endpoint: EndpointName) => ({
    token: await stack.mint(endpoint, { issuer: stack.rotated }),
  });

  test("is followed at once, and within half a minute if the keys have just been fetched", async () => {
    const newKeys = await published(stack.rotated.jwksUrl);
    const oldKeys = await published(`${stack.issuer.url}/.well-known/jwks.json`);
    stack.clocks.pass(KEYS_MS);
    await expectAsEver();
    await publishing([...oldKeys, ...newKeys], async () => {
      expectAnswers(await askAll(stack, byNewKey), whereTokens("refused"), sound);
      stack.clocks.pass(COOL_MS);
      expectAnswers(await askAll(stack, byNewKey), everywhere("served"), sound);
      await expectAsEver();
    });
  });

  test("and withdraws a key has its tokens refused after ten minutes, and no others", async () => {
    stack.clocks.pass(KEYS_MS);
    await publishing(await published(stack.rotated.jwksUrl), async () => {
      expectAnswers(await askAll(stack, byNewKey), everywhere("served"), sound);
      expectAnswers(await askAll(stack), whereTokens("refused"), sound);
    });
    stack.clocks.pass(COOL_MS);
    await expectAsEver();
  });
});

test.each(clockFaults)(
  "the clock of functions $what: each endpoint answers as decided, and as ever once it is right",
  async ({ aheadMs, tokenLifeS: lifeS, answers }) => {
    stack.clocks.setAhead(aheadMs);
    const withToken = async (endpoint: EndpointName) => ({
      token: await stack.mint(endpoint, { ...(lifeS !== undefined && { lifeS }) }),
    });
    expectAnswers(await askAll(stack, withToken), answers, sound);
    stack.clocks.setAhead(0);
    await expectAsEver();
  },
);

test("a local store whose disk is full is a fault of this side, and its words are in the log alone", async () => {
  stack.clocks.pass(MEMORY_MS);
  const answers = await stack.store.under(fullDisk.act, () => askAll(stack));
  expectAnswers(answers, fullDisk.answers, sound);
  for (const { body, lines } of Object.values(answers)) {
    expect(body).not.toContain(DISK_FULL_EXCEPTION);
    expect(JSON.stringify(lines)).toContain(DISK_FULL_EXCEPTION);
  }
});

// Last of all: no test after it needs the functions with their usual memory back.
describe("a function that ends in the middle of a request", () => {
  beforeAll(() => stack.renewWithFragile());

  test.each(threadFaults)(
    "because it $what fails this request alone: a new environment serves the next one",
    async ({ endsBy, answers }) => {
      await expectAsEver();
      expectAnswers(await askAll(stack, async () => ({ endsBy })), answers, sound);
      await expectAsEver();
    },
  );
});
