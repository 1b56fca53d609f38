import type { ComponentChildren } from 'preact'
import { pageRoutes } from './pageRoutes.tsx'

const findFolder = (path: string): string => path.split('/')[1] ?? ''

type RouteProps = { children?: ComponentChildren; path?: string; component?: { preload?: () => Promise<unknown> } }

/** Loads the code of the first page beside the networks, not after them. */
export const preloadPage = (path: string): void => {
  for (const { props } of pageRoutes) {
    const { path: own = '', component }: RouteProps = props
    if (findFolder(own) === findFolder(path)) void component?.preload?.()
  }
}
