import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { faults, isOn } from "./api/alive.ts";
import { useSession } from "./api/session.tsx";
import { StoppedNote } from "./api/stopped-note.tsx";
import styles from "./app.module.css";
import { Screen } from "./parts/screen.tsx";
import type { Route } from "./route.ts";
import { ServiceTime } from "./service-time.tsx";
import { ThemeSwitch } from "./style/theme.tsx";
import { useLive } from "./use-live.ts";
import { useRoute } from "./use-route.ts";

type Listed = readonly [title: string, load: () => Promise<ComponentType<{ endpoint?: string }>>];

/** The screens in the order of the navigation, and last what is shown where an address names none. */
const SCREENS: Readonly<Record<Route["screen"], Listed>> = {
  overview: ["Overview", async () => (await import("./overview/index.tsx")).Overview],
  try: ["Try it", async () => (await import("./try-it/index.tsx")).TryIt],
  market: ["Market", async () => (await import("./market/index.tsx")).Market],
  records: ["Records", async () => (await import("./records/index.tsx")).Records],
  log: ["Live log", async () => (await import("./log/index.tsx")).Log],
  reference: ["Reference", async () => (await import("./reference/index.tsx")).Reference],
  nowhere: ["No such screen", async () => Nowhere],
};

const NAVIGATION = Object.entries(SCREENS).slice(0, -1);

/** The shell of the page: navigation, the colours, and the screen that the address names. */
export function App() {
  const route = useRoute();
  const content = useRef<HTMLDivElement>(null);
  useTitleAndFocus(route, content);
  return (
    <>
      <a class={`panel ${styles.skip}`} href="#content">
        Skip to the content
      </a>
      <Header current={route.screen} />
      <div id="content" class={styles.content} ref={content} tabIndex={-1}>
        <main>
          <Screen
            key={route.screen}
            load={SCREENS[route.screen][1]}
            {...(route.endpoint !== undefined && { endpoint: route.endpoint })}
          />
        </main>
      </div>
    </>
  );
}

function Nowhere() {
  return (
    <>
      <h1>There is no such screen</h1>
      <p>
        The page has nothing at this address. Go to the <a href="#/">Overview</a>.
      </p>
    </>
  );
}

function Header({ current }: { readonly current: Route["screen"] }) {
  const { baseUrl } = useSession();
  const faultsOn = useLive(faults).filter(isOn).length;
  return (
    <header class={styles.header}>
      <p class={styles.name}>
        countinghouse <code class={styles.address}>{baseUrl}</code>
        {faultsOn > 0 && <a href="#/log?faults">{faultsOn === 1 ? "1 fault on" : `${faultsOn} faults on`}</a>}
      </p>
      <div class={styles.settings}>
        <ServiceTime />
        <ThemeSwitch />
      </div>
      <nav class={styles.nav} aria-label="Screens">
        <ul>
          {NAVIGATION.map(([name, [title]]) => (
            <li key={name}>
              <a href={addressOf(name)} {...(name === current && { "aria-current": "page" as const })}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <StoppedNote />
    </header>
  );
}

const addressOf = (name: string): string => (name === "overview" ? "#/" : `#/${name}`);

/** A new screen is announced by the document's title, and the keyboard begins at its top. */
function useTitleAndFocus({ screen }: Route, content: { readonly current: HTMLElement | null }): void {
  const shown = useRef(screen);
  useEffect(() => {
    document.title = `${SCREENS[screen][0]} – countinghouse`;
    if (shown.current === screen) return;
    shown.current = screen;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [screen, content]);
}
