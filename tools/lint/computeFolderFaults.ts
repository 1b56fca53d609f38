import { dirname } from 'node:path/posix'
import { isSource } from './listTrackedFiles.ts'

/** Sources that one folder may hold; its subfolders count for themselves. */
const maxSources = 20

/** @returns one line for each folder with too many sources, largest first */
export const computeFolderFaults = (paths: readonly string[]): string[] => {
  const sizes = new Map<string, number>()
  for (const path of paths.filter(isSource)) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  return [...sizes]
    .filter(([, size]) => size > maxSources)
    .toSorted(([, a], [, b]) => b - a)
    .map(([folder, size]) => `${folder}: ${size} sources, at most ${maxSources}; group them in subfolders`)
}
