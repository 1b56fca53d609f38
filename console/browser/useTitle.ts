import { useEffect } from 'preact/hooks'

/** The title of the window while the calling page is shown. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · edgebook`
  }, [title])
}
