/** The console's choice of a theme, or that of the system. */
const readTheme = () => {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

const systemTheme = matchMedia('(prefers-color-scheme: dark)')

const applyTheme = () => {
  const chosen = readTheme()
  const isDark = chosen === 'dark' || (chosen !== 'light' && systemTheme.matches)
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  // Swagger UI's styles know this class
  document.documentElement.classList.toggle('dark-mode', isDark)
}

applyTheme()
systemTheme.addEventListener('change', applyTheme)
