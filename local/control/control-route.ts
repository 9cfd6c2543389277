import type * as z from "zod/mini";

/**
 * One question that `npm run ops` may put to a running `npm start`, as both sides know it. Input and output are JSON,
 * and each side checks what it receives.
 */
export interface ControlRoute<Input, Output> {
  /** The route's path without its slash, in kebab-case. */
  readonly name: string;
  readonly input: z.ZodMiniType<Input>;
  readonly output: z.ZodMiniType<Output>;
}

/** A route with its answer, as the control server serves it. */
export interface ServedRoute {
  readonly name: string;
  /** Resolves with the output. Rejects with a `ControlRefusal` for an input that cannot be followed. */
  readonly answer: (input: unknown) => Promise<unknown>;
}

/** The running service cannot do what was asked. The message is for the person who asked, and says what is possible. */
export class ControlRefusal extends Error {
  override readonly name = "ControlRefusal";
}

/** Joins a route with the function that answers it. The server's list of routes gets one such entry for each route. */
export function serveRoute<Input, Output>(
  { name, input }: ControlRoute<Input, Output>,
  act: (input: Input) => Output | Promise<Output>,
): ServedRoute {
  return {
    name,
    answer: async (given) => {
      const { success, data, error } = input.safeParse(given);
      if (success) return await act(data);
      const places = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      throw new ControlRefusal(`The input of ${name} is not understood (${places.join("; ")}).`);
    },
  };
}
