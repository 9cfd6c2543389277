import { type ThemeChoice, useTheme } from "./theme.tsx";
import styles from "./theme-switch.module.css";

const CHOICES: readonly (readonly [ThemeChoice, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** Chooses the colours of the page. */
export function ThemeSwitch() {
  const { choice, choose } = useTheme();
  return (
    <label class={styles.switch}>
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
