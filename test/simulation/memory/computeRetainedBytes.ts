import type { HeapGraph } from './createHeapGraph.ts'
import { findMarks, findModuleScopes } from './findHeapRoots.ts'

/** Name of the bytes that loaded modules retain. */
export const modulesName = 'modules'

/** Compiled code and shapes of objects, which the runtime adds while it learns. */
const typesOfRuntime: ReadonlySet<string> = new Set(['code', 'object shape'])

/**
 * Bytes that remain only because of the objects of a mark, by its name, and because of loaded modules. Objects that
 * the rest of the process refers to do not count; objects retained by two marks count for both.
 */
export const computeRetainedBytes = (
  graph: HeapGraph,
  isCountedModule: (url: string) => boolean,
): ReadonlyMap<string, number> => {
  const marks = findMarks(graph)
  const holders = [...marks, { name: modulesName, objects: findModuleScopes(graph, isCountedModule) }]
  const barred = new Uint8Array(graph.count)
  for (const { mark } of marks) barred[mark] = 1
  for (const { objects } of holders) for (const object of objects) barred[object] = 1

  /** Marks as seen all that some objects retain, and returns its bytes. */
  const walk = (from: readonly number[], seen: Uint8Array): number => {
    const next = [...from]
    let bytes = 0
    for (let object = next.pop(); object !== undefined; object = next.pop()) {
      bytes += graph.sizeOf(object)
      graph.visit(object, (to) => {
        if (seen[to] || typesOfRuntime.has(graph.typeOf(to))) return
        seen[to] = 1
        next.push(to)
      })
    }
    return bytes
  }
  const rest = barred.slice()
  walk([0], rest)
  return new Map(holders.map(({ name, objects }) => [name, walk(objects, rest.slice())]))
}
