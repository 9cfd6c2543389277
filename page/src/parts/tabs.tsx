import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import styles from "./tabs.module.css";

interface Tab {
  readonly name: string;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  /** Names the row of tabs for those who do not see its place. */
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** Parts of which one is shown. Arrow keys, Home and End move along the tabs (WAI-ARIA, tabs pattern). */
export function Tabs({ label, tabs }: TabsProps) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(tabs[0]?.name);
  const at = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen),
  );
  const moveTo = (place: number): void => {
    const to = (place + tabs.length) % tabs.length;
    setChosen(tabs[to]?.name);
    row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moveTo(at + 1),
    ArrowLeft: () => moveTo(at - 1),
    Home: () => moveTo(0),
    End: () => moveTo(tabs.length - 1),
  };
  return (
    <div>
      <div
        class={styles.row}
        role="tablist"
        aria-label={label}
        ref={row}
        onKeyDown={(event) => {
          const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
      >
        {tabs.map(({ name, title }, place) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={place === at}
            aria-controls={`${id}-panel`}
            tabIndex={place === at ? 0 : -1}
            onClick={() => moveTo(place)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]?.name}`}>
        {tabs[at]?.content()}
      </div>
    </div>
  );
}
