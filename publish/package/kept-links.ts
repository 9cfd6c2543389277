import { posix } from "node:path";

/** A link of Markdown with a place beside or below the document's own folder, or above it. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g;

/**
 * A document without the links that lead nowhere in the package: their words stay, with the place in the project that they
 * name.
 *
 * @param path the document's own, from the top of the package, as all paths are.
 * @param isThere whether the package has a path.
 */
export const keptLinks = (text: string, path: string, isThere: (path: string) => boolean): string =>
  text.replace(RELATIVE_LINK, (link: string, words: string, target: string) => {
    const place = posix.join(posix.dirname(path), target);
    if (isThere(place)) return link;
    return words.includes(place) ? words : `${words} (\`${place}\` of the project)`;
  });
