/** The screen "Live log". */
export function Log() {
  return <h1>Live log</h1>;
}
