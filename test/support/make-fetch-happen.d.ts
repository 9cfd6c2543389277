/**
 * The part of the package that tests use. The published types bring in a browser's, which contradict those of Node.js.
 */
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
