import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { sections } from "../../../docs/reference.md";
import { useSession } from "../api/session.tsx";
import { Field } from "../parts/field.tsx";
import { Notice } from "../parts/notice.tsx";
import { useMedia } from "../use-live.ts";
import { filledIn } from "./fill-in.ts";
import { markWord } from "./mark-word.ts";
import styles from "./reference.module.css";

/**
 * What integrators read, as in `docs/reference.md`, with its contents beside it. Scalar's component would render the
 * OpenAPI document, with 269 packages and a script of 4.9 MB, but cannot sign and failed axe's checks.
 */
export function Reference() {
  const session = useSession();
  const { baseUrl } = session;
  const parts = useRef<HTMLDivElement>(null);
  const { typed, word, found, filter } = useFilter(parts);
  const [missing, setMissing] = useState<string>();
  useEffect(() => {
    const follow = (): void => {
      const heading = document.getElementById(location.hash.slice(1));
      setMissing(heading === null ? /^#\/reference\/(.+)/.exec(location.hash)?.[1] : undefined);
      if (heading?.closest("[hidden]")) filter("");
      requestAnimationFrame(() => heading?.scrollIntoView());
    };
    // The browser looked for the heading of the address before the screen was there.
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  const openApi = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/openapi.json`;
  return (
    <div class={`columns ${styles.screen}`}>
      <div class={styles.contents}>
        {missing !== undefined && (
          <Notice tone="warn" word="Not found">
            The reference has no part “{missing}”. Choose one of its contents.
          </Notice>
        )}
        <Field label="Filter by word" value={typed} onInput={filter} />
        <p role="status">{word !== "" && counted(found.length, word)}</p>
        <Contents of={found} />
        <p>
          For programs: <a href={openApi}>openapi.json</a>,{" "}
          <Saved name="countinghouse.postman_collection.json" of="Postman collection" />,{" "}
          <Saved name="countinghouse.http" of=".http file" />
        </p>
      </div>
      <div class={`${styles.document} ${word === "" ? "" : styles.filtered}`} ref={parts}>
        {sections.map((section) => (
          <section
            key={section.id}
            hidden={section.id !== "" && !found.includes(section)}
            // A document of the project, which is trusted, rendered when the page was built
            dangerouslySetInnerHTML={{
              __html: filledIn(section.html, session).replaceAll("api/openapi.json", openApi),
            }}
          />
        ))}
      </div>
    </div>
  );
}

/** The word that was typed, the parts below the first that have it, and a way to filter by another one. */
function useFilter(parts: RefObject<HTMLDivElement | null>) {
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState(sections);
  const word = typed.trim();
  const filter = (next: string): void => {
    const wanted = next.trim().toLowerCase();
    const texts = [...(parts.current?.children ?? [])].map(({ textContent }) => textContent.toLowerCase());
    setTyped(next);
    setFound(sections.filter(({ id }, at) => wanted === "" || (id !== "" && texts[at]?.includes(wanted))));
  };
  useEffect(() => {
    const place = parts.current === null ? undefined : markWord(parts.current, word.toLowerCase());
    place?.closest("details")?.setAttribute("open", "");
    // Where the field is above the document, it stays in sight.
    if (wide.matches) place?.scrollIntoView({ block: "center" });
  }, [word]);
  return { typed, word, found, filter };
}

/** A link that saves a file with this start's credentials: they are the page's, and the served file has none. */
function Saved({ name, of }: { readonly name: string; readonly of: string }) {
  const session = useSession();
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const response = await fetch(`/_page/${name}`);
    // The header says of a service that has been started again what to do.
    if (!response.ok) return;
    const href = URL.createObjectURL(new Blob([filledIn(await response.text(), session)]));
    Object.assign(document.createElement("a"), { href, download: name }).click();
    URL.revokeObjectURL(href);
  };
  return (
    <a href={`/_page/${name}`} download onClick={(event) => void save(event)}>
      {of}
    </a>
  );
}

const counted = (count: number, word: string): string =>
  count === 0 ? `No section has “${word}”.` : `${count} of ${sections.length - 1} sections have it.`;

const wide = window.matchMedia("(min-width: 62.5rem)");

/** Beside the document, or folded above it where there is no room. */
function Contents({ of }: { readonly of: typeof sections }) {
  const current = useCurrent(of);
  return (
    <details open={useMedia(wide)}>
      <summary>Contents</summary>
      <nav aria-label="Contents">
        <ul>
          {of
            .filter(({ id }) => id !== "")
            .map(({ id, text, depth }) => (
              <li key={id} class={depth > 2 ? styles.part : undefined}>
                <a href={`#${id}`} {...(id === current && { "aria-current": "location" as const })}>
                  {text}
                </a>
              </li>
            ))}
        </ul>
      </nav>
    </details>
  );
}

/** How far down the window a part begins at the latest that is read now: below the place to which a link scrolls. */
const READ_AT = 0.03;

/** The heading of the part that is read now, of those that are shown. */
function useCurrent(of: typeof sections): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const parts = [...document.querySelectorAll("section:not([hidden])")];
    const hasBegun = (part: Element) => part.getBoundingClientRect().top <= READ_AT * window.innerHeight;
    const look = (): void => setCurrent(parts.findLast(hasBegun)?.querySelector("[id]")?.id);
    const observer = new IntersectionObserver(look, {
      rootMargin: `${-100 * READ_AT}% 0px ${100 * READ_AT - 100}%`,
    });
    for (const part of parts) observer.observe(part);
    return () => observer.disconnect();
  }, [of]);
  return current;
}
