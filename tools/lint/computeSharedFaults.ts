import { dirname, join } from 'node:path/posix'

/**
 * The order of the folders of `shared/`: each imports only those before it, and all may import the files at its top.
 * `networks.ts` is the entry of `networks/`.
 */
const order = [
  'amounts',
  'archive',
  'connections',
  'logging',
  'api',
  'http',
  'validation',
  'networks',
  'pauses',
  'settings',
  'streams',
  'chain',
  'rehearsal',
  'signing',
  'appData',
  'hooks',
  'funding',
  'fees',
  'tokens',
  'solvers',
  'slippage',
  'orders',
  'strategies',
  'notifications',
  'alarms',
]

/**
 * @returns one line for each import inside `shared/` that runs against the order, and for each folder without a place
 *   in it
 */
export const computeSharedFaults = (files: readonly { path: string; text: string }[]): string[] =>
  files.flatMap(({ path, text }) => {
    const folder = findFolder(path)
    if (folder === undefined) return []
    if (!order.includes(folder) && folder !== top) return [`${path}: its folder has no place in the order of shared/`]
    return [...text.matchAll(/ from '(\.[^']*)'$/gm)]
      .map(([, module = '']) => join(dirname(path), module))
      .filter((target) => order.indexOf(findFolder(target) ?? top) > order.indexOf(folder))
      .map((target) => `${path} imports ${target}: ${folder} comes before ${findFolder(target)} in shared/`)
  })

/** Stands for the files at the top of `shared/`, before all folders. */
const top = '.'

const findFolder = (path: string): string | undefined => {
  if (path === 'shared/networks.ts') return 'networks'
  return path.startsWith('shared/') ? (/^shared\/([^/]+)\//.exec(path)?.[1] ?? top) : undefined
}
