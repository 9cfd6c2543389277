/** The part of Postman's sandbox that tests use; the package has no types. */
declare module "postman-sandbox" {
  interface Execution {
    readonly request: { readonly header: readonly { readonly key: string; readonly value: string }[] };
  }
  interface Context {
    execute(
      event: { readonly listen: "prerequest"; readonly script: unknown },
      options: { readonly context: object },
      done: (error: Error | null, execution: Execution) => void,
    ): void;
    dispose(): void;
  }
  const sandbox: {
    createContext(options: object, done: (error: Error | null, context: Context) => void): void;
  };
  export default sandbox;
}
