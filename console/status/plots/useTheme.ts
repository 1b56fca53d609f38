import { useEffect, useState } from 'preact/hooks'

/** Another number after each change of the colours, by the system or on the page: what is drawn has to be drawn again. */
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
