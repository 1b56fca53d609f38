import type { NetworkName } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import type { IconName } from '../ui/elements/Icon.tsx'

type Page = {
  label: string
  icon: IconName
  toPath: (network: NetworkName) => string
  /** for the path of the current page */
  isCurrent: (path: string) => boolean
}

/** Entries of the navigation, in order. */
export const pages: readonly Page[] = [
  { label: 'Trade', icon: 'trade', toPath: paths.trade, isCurrent: (path) => path === '/' },
  { label: 'Explore', icon: 'compass', toPath: paths.explorer, isCurrent: (path) => path === '/explore' },
  { label: 'Status', icon: 'pulse', toPath: paths.status, isCurrent: (path) => path === '/status' },
]
