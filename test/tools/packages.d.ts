// The parts of the tools that the tests use: types are checked where the tools are not installed, too.

declare module "make-fetch-happen" {
  interface FetchOptions {
    readonly headers?: Readonly<Record<string, string>>;
    readonly cachePath?: string;
    readonly retry?: false;
  }
  type Fetch = (url: string, options?: FetchOptions) => Promise<{ text(): Promise<string> }>;
  const makeFetchHappen: { defaults(options: FetchOptions): Fetch };
  export default makeFetchHappen;
}

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

declare module "@redocly/openapi-core" {
  type Config = { readonly rules: unknown };
  export function createConfig(config: { readonly extends: readonly string[] }): Promise<Config>;
  export function lintFromString(document: {
    readonly source: string;
    readonly config: Config;
  }): Promise<readonly { readonly ruleId: string; readonly message: string }[]>;
}

declare module "parquet-wasm/node" {
  export function readParquet(file: Uint8Array): {
    readonly schema: { indexOf(name: string): number };
    recordBatches(): readonly { readonly numRows: number }[];
  };
}

declare module "@duckdb/node-api" {
  interface Connection {
    run(statement: string): Promise<unknown>;
    runAndReadAll(question: string): Promise<{ getRowsJson(): readonly (readonly unknown[])[] }>;
    closeSync(): void;
  }
  export const DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<Connection> }>;
  };
}
