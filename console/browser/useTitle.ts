import { useLayoutEffect } from 'preact/hooks'

/** Sets the title of the window while the calling page is mounted, at the moment at which the page appears. */
export const useTitle = (title: string): void => {
  useLayoutEffect(() => {
    document.title = `${title} · edgebook`
  }, [title])
}
