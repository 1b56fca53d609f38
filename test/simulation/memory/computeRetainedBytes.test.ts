import { expect, test } from 'vitest'
import { computeRetainedBytes, modulesName } from './computeRetainedBytes.ts'
import { createHeapGraph } from './createHeapGraph.ts'
import { HeapMark } from './findHeapRoots.ts'
import { readHeapSnapshot } from './readHeapSnapshot.ts'

const bytes = 1_000_000
const createText = (n: number) => Buffer.alloc(bytes, `${n}`).toString('latin1')
/** objects that another part of the process retains as well */
const shared = { texts: [1, 2].map(createText) }
const states = new WeakMap<object, object>()
/** A module; a snapshot has no text of a URL that is composed. */
const moduleUrl =
  'data:text/javascript,const cache = new Map([[1, new Uint8Array(5e6)]]); export const count = () => cache.size'

const createCounter = () => {
  const seen = new Map([[1, createText(3)]])
  return { count: () => seen.size }
}

test('counts closures, buffers and weak maps of marked objects and modules, but nothing that others retain', async () => {
  const [environment, object] = [{}, {}]
  states.set(environment, { list: [4, 5].map(createText) })
  const marks = [
    new HeapMark('worker', [environment]),
    new HeapMark('object', [createCounter(), object, new Uint8Array(2 * bytes)]),
    new HeapMark('borrower', [{ shared: { ...shared } }]),
    new HeapMark('both', [{ object, environment }]),
  ]
  const { count } = await import(moduleUrl)
  const heap = createHeapGraph(await readHeapSnapshot())
  const kept = computeRetainedBytes(heap, (url) => url.startsWith('data:'))
  const millions = Object.fromEntries([...kept].map(([name, size]) => [name, Math.round(size / bytes)]))
  // still in use
  expect([marks.length, count()]).toEqual([4, 1])
  expect(millions).toEqual({ worker: 2, object: 3, borrower: 0, both: 0, [modulesName]: 5 })
})
