import fc from "fast-check";
import { expect, test } from "vitest";
import { AsyncDisposableStack as Own } from "../../../../publish/package/async-disposable-stack.ts";

/** An ending that notes its number, and fails or not, at once or later. */
interface Step {
  readonly fails: boolean;
  readonly isLater: boolean;
}

type Stack = Own | AsyncDisposableStack;

/** The whole chain of errors that a disposal ends with, as plain data. */
const told = (error: unknown): unknown =>
  error instanceof Error && "suppressed" in error
    ? { name: error.name, error: told((error as SuppressedError).error), suppressed: told(error.suppressed) }
    : error;

/** What happens when these steps are deferred, moved after some of them or never, and disposed twice. */
async function disposed(
  Class: new () => Stack,
  steps: readonly Step[],
  movedAfter: number,
): Promise<unknown> {
  const seen: number[] = [];
  let stack = new Class();
  const first = stack;
  for (const [number, { fails, isLater }] of steps.entries()) {
    if (number === movedAfter) stack = stack.move();
    stack.defer(() => {
      seen.push(number);
      if (!fails) return undefined;
      if (isLater) return Promise.reject(number);
      throw number;
    });
  }
  const outcome = await stack.disposeAsync().then(() => "done", told);
  await stack.disposeAsync();
  await first.disposeAsync();
  return { seen, outcome, isDisposed: [first.disposed, stack.disposed] };
}

const steps = fc.array(fc.record({ fails: fc.boolean(), isLater: fc.boolean() }), { maxLength: 6 });

test("it does what the platform's class does, whatever fails and whenever it is moved", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(7), async (given, movedAfter) => {
      expect(await disposed(Own, given, movedAfter)).toEqual(
        await disposed(AsyncDisposableStack, given, movedAfter),
      );
    }),
  );
});

test.each(["the platform's", "ours"])("a stack that was disposed takes nothing more (%s)", async (whose) => {
  const stack: Stack = whose === "ours" ? new Own() : new AsyncDisposableStack();
  await stack.disposeAsync();
  expect(() => stack.defer(() => {})).toThrow(ReferenceError);
  expect(() => stack.move()).toThrow(ReferenceError);
});

test("`await using` disposes it at the end of the block", async () => {
  const seen: string[] = [];
  {
    await using stack = new Own();
    stack.defer(() => seen.push("disposed"));
    seen.push("block");
  }
  expect(seen).toEqual(["block", "disposed"]);
});
