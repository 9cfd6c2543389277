import { LiveState } from "../live-state.ts";
import { useLive, useMedia } from "../use-live.ts";

/** The colours that a visitor asks for: those of the system, or always the same. */
type ThemeChoice = "system" | "light" | "dark";

const KEPT_AS = "countinghouse-theme";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

const theme = new LiveState(keptChoice());
document.documentElement.dataset.theme = theme.value;

/** What the visitor's choice comes to now; a chart that paints on a canvas paints again when it changes. */
export function useShade(): "light" | "dark" {
  const choice = useLive(theme);
  const isSystemDark = useMedia(dark);
  return choice === "system" ? (isSystemDark ? "dark" : "light") : choice;
}

const CHOICES: readonly (readonly [ThemeChoice, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** Chooses the colours of the page. */
export function ThemeSwitch() {
  const choice = useLive(theme);
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
function choose(choice: ThemeChoice): void {
  document.documentElement.dataset.theme = choice;
  theme.set(choice);
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
