/** From what explains a word to what has it at all: the heading or the row of its name, a text, and an example. */
const EXPLAINING = [":is(h2, h3, td:first-child, :is(h2, h3, td:first-child) *)", ":not(pre, pre *)", "*"];

/** Marks each place of a word in the parts below the first. @returns the element of the one that explains it best. */
export function markWord(parts: Element, word: string): Element | undefined {
  const places =
    word === "" ? [] : [...parts.querySelectorAll(":scope > :not(:first-child)")].flatMap(placesIn);
  if ("highlights" in CSS) CSS.highlights.set("found", new Highlight(...places));
  const elements = places.map(({ startContainer }) => startContainer.parentElement);
  return (
    EXPLAINING.map((kind) => elements.find((element) => element?.matches(kind))).find(Boolean) ?? undefined
  );

  function placesIn(part: Element): readonly StaticRange[] {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const found: StaticRange[] = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const data = text.textContent?.toLowerCase() ?? "";
      for (let at = data.indexOf(word); at >= 0; at = data.indexOf(word, at + word.length))
        found.push(
          new StaticRange({
            startContainer: text,
            startOffset: at,
            endContainer: text,
            endOffset: at + word.length,
          }),
        );
    }
    return found;
  }
}
