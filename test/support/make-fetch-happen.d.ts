/** What of the package is used here; the published types bring in a browser's, which contradict Node's. */
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
