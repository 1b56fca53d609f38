import { useEffect, useState } from 'preact/hooks'

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const

type Theme = keyof typeof themes

const storageKey = 'theme'

const readTheme = (): Theme => {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Light, dark, or whatever the system says; remembered in this browser. */
export const ThemeSwitch = () => {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
    localStorage.setItem(storageKey, theme)
  }, [theme])
  return (
    <select
      class="theme-switch"
      aria-label="Colours"
      value={theme}
      onChange={(event) => setTheme(event.currentTarget.value as Theme)}
    >
      {Object.entries(themes).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
