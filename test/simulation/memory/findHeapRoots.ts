import type { HeapGraph } from './createHeapGraph.ts'

/** A name for objects, to find them in a heap snapshot. */
export class HeapMark {
  readonly name: string
  readonly objects: readonly object[]

  constructor(name: string, objects: readonly object[]) {
    this.name = name
    this.objects = objects
  }
}

/** Objects that a mark names. */
export type MarkedObjects = { name: string; mark: number; objects: number[] }

/** The marks in a heap. */
export const findMarks = (graph: HeapGraph): MarkedObjects[] => {
  const found: MarkedObjects[] = []
  for (let mark = 0; mark < graph.count; mark += 1) {
    if (graph.nameOf(mark) !== HeapMark.name || graph.typeOf(mark) !== 'object') continue
    const [name, list] = [graph.find(mark, 'name'), graph.find(mark, 'objects')]
    // its prototype has neither
    if (name === undefined || list === undefined) continue
    const objects: number[] = []
    graph.visit(list, (to, edgeName) => {
      if (edgeName === undefined) objects.push(to)
    })
    found.push({ name: graph.nameOf(name), mark, objects })
  }
  return found
}

/**
 * The variables of loaded modules, and what they export: the outermost scope of each of their functions.
 * @param isCounted whether a module counts, by its URL
 */
export const findModuleScopes = (graph: HeapGraph, isCounted: (url: string) => boolean): number[] => {
  const scopes = new Set<number>()
  const counted = new Map<number, boolean>()
  const isOfCounted = (closure: number): boolean => {
    const shared = graph.find(closure, 'shared')
    const script = shared === undefined ? undefined : graph.find(shared, 'script')
    if (script === undefined) return false
    const known = counted.get(script)
    if (known !== undefined) return known
    const url = graph.find(script, 'name')
    const isIt = url !== undefined && isCounted(graph.nameOf(url))
    counted.set(script, isIt)
    return isIt
  }
  for (let closure = 0; closure < graph.count; closure += 1) {
    if (graph.typeOf(closure) !== 'closure' || !isOfCounted(closure)) continue
    let outermost: number | undefined
    let scope = graph.find(closure, 'context')
    while (scope !== undefined && !graph.nameOf(scope).includes('NativeContext')) {
      outermost = scope
      scope = graph.find(scope, 'previous')
    }
    if (outermost === undefined) continue
    scopes.add(outermost)
    const module = graph.find(outermost, 'extension')
    if (module !== undefined) scopes.add(module)
  }
  return [...scopes]
}
