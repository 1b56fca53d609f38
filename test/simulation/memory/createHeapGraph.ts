import type { HeapSnapshot } from './readHeapSnapshot.ts'

/** The objects of a heap by number; 0 refers to the roots of all. */
export type HeapGraph = {
  count: number
  nameOf: (object: number) => string
  typeOf: (object: number) => string
  /** bytes of an object alone */
  sizeOf: (object: number) => number
  /** Visits the objects that an object retains, with their names; undefined for entries of a list. */
  visit: (object: number, visit: (to: number, name: string | undefined) => void) => void
  /** Object that an object retains under a name; undefined: nothing. */
  find: (object: number, name: string) => number | undefined
}

/** A value of a weak map is retained by its key and, in the snapshot, also by the table with this id. */
const pairPattern = /^\d+ \/ part of key .* pair in WeakMap \(table @(\d+)\)$/s

/** References of a heap snapshot. A weak map retains a value only through its key. */
export const createHeapGraph = (snapshot: HeapSnapshot): HeapGraph => {
  const { nodes, node, edges, edge, strings, nodeTypes, edgeTypes } = snapshot
  const count = nodes.length / node.size
  const read = (object: number, field: number) => nodes[object * node.size + field] as number
  const firstEdges = new Uint32Array(count + 1)
  for (let n = 0; n < count; n += 1) firstEdges[n + 1] = (firstEdges[n] as number) + read(n, node.edgeCount)
  const [weak, element] = [edgeTypes.indexOf('weak'), edgeTypes.indexOf('element')]
  const tables = new Map<number, number>()
  for (const [i, name] of strings.entries()) {
    const table = pairPattern.exec(name)?.[1]
    if (table !== undefined) tables.set(i, Number(table))
  }

  const visitNames = (object: number, visit: (to: number, name: number | undefined) => void): void => {
    const id = read(object, node.id)
    const end = firstEdges[object + 1] as number
    for (let at = firstEdges[object] as number; at < end; at += 1) {
      const first = at * edge.size
      const type = edges[first + edge.type]
      const name = type === element ? undefined : (edges[first + edge.nameOrIndex] as number)
      if (type === weak || (name !== undefined && tables.get(name) === id)) continue
      visit((edges[first + edge.toNode] as number) / node.size, name)
    }
  }
  return {
    count,
    nameOf: (object) => strings[read(object, node.name)] ?? '',
    typeOf: (object) => nodeTypes[read(object, node.type)] ?? '',
    sizeOf: (object) => read(object, node.selfSize),
    visit: (object, visit) =>
      visitNames(object, (to, name) => visit(to, name === undefined ? undefined : strings[name])),
    find: (object, wanted) => {
      let found: number | undefined
      visitNames(object, (to, name) => {
        if (name !== undefined && strings[name] === wanted) found ??= to
      })
      return found
    },
  }
}
