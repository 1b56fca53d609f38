import { useEffect } from 'preact/hooks'

/** Sets the title of the window while the calling page is mounted. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · edgebook`
  }, [title])
}
