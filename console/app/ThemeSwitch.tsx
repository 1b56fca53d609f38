import { useEffect, useState } from 'preact/hooks'
import { storage } from '../browser/storage.ts'

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const

type Theme = keyof typeof themes

const storageKey = 'theme'

const readTheme = (): Theme => {
  const stored = storage.get(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Light, dark or system theme; remembered in this browser. */
export const ThemeSwitch = () => {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
    storage.set(storageKey, theme)
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
