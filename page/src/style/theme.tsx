import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

/** The colours that a visitor asks for: those of the system, or always the same. */
type ThemeChoice = "system" | "light" | "dark";

/** The colours that are shown. */
type Shade = "light" | "dark";

interface Theme {
  readonly choice: ThemeChoice;
  readonly choose: (choice: ThemeChoice) => void;
  /** What the choice comes to now; a chart that paints on a canvas paints again when it changes. */
  readonly shade: Shade;
}

const KEPT_AS = "countinghouse-theme";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

const ThemeContext = createContext<Theme>({ choice: "system", choose: () => {}, shade: "light" });

/** The colours of the page, and the way to choose others. */
export const useTheme = (): Theme => useContext(ThemeContext);

/** Follows the system's colours unless the visitor has chosen, and remembers a choice in this browser. */
export function ThemeProvider({ children }: { readonly children: ComponentChildren }) {
  const [choice, setChoice] = useState(keptChoice);
  const [isSystemDark, setSystemDark] = useState(dark.matches);
  useEffect(() => {
    const follow = (): void => setSystemDark(dark.matches);
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, []);
  const shade = choice === "system" ? (isSystemDark ? "dark" : "light") : choice;
  useEffect(() => {
    document.documentElement.dataset.theme = choice;
  }, [choice]);
  const choose = (chosen: ThemeChoice): void => {
    keep(chosen);
    setChoice(chosen);
  };
  return <ThemeContext.Provider value={{ choice, choose, shade }}>{children}</ThemeContext.Provider>;
}

const CHOICES: readonly (readonly [ThemeChoice, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** Chooses the colours of the page. */
export function ThemeSwitch() {
  const { choice, choose } = useTheme();
  return (
    <label>
      Colours{" "}
      <select value={choice} onChange={({ currentTarget }) => choose(currentTarget.value as ThemeChoice)}>
        {CHOICES.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A browser may forbid a page to keep anything. The choice then lasts as long as the page. */
function keep(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEPT_AS, choice);
  } catch {
    return;
  }
}

function keptChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}
