import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isReachable } from '../browser/isReachable.ts'

/**
 * A part of a page whose code is loaded when it is first shown.
 * @param waiting shown until then
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ComponentType = () => null,
): ComponentType<Props> => {
  let known: ComponentType<Props> | undefined
  return (props) => {
    const [Part, setPart] = useState<ComponentType<Props>>(() => known ?? waiting)
    useEffect(() => {
      if (known) return
      void load()
        .catch(() => Unloaded)
        .then((loaded) => {
          if (loaded !== Unloaded) known = loaded
          setPart(() => loaded)
        })
    }, [])
    return <Part {...props} />
  }
}

/** Offline, a reload would replace the console by the browser's error page. */
const reload = async (): Promise<void> => {
  if (await isReachable()) location.reload()
}

const Unloaded = () => (
  <p class="notice error" role="alert">
    This part of the page could not be loaded.
    <button type="button" onClick={reload}>
      Reload the page
    </button>
  </p>
)
