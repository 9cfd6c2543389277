/** The screen "Market". */
export function Market() {
  return <h1>Market</h1>;
}
