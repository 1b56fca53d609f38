import { useEffect, useState } from 'preact/hooks'

/** Changes after each change of colours, by the system or the theme switch, so that plots are redrawn. */
export const useTheme = (): number => {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const change = () => setVersion((last) => last + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', change)
    const page = new MutationObserver(change)
    page.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] })
    return () => {
      system.removeEventListener('change', change)
      page.disconnect()
    }
  }, [])
  return version
}
