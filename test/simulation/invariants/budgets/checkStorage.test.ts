import { expect, test } from 'vitest'
import { createScheduler } from '../../clock/createScheduler.ts'
import { createNamespace } from '../../platform/durableObjects.ts'
import { createProcesses } from '../../platform/processes.ts'
import { checkStorage } from './checkStorage.ts'

type Context = {
  storage: {
    kv: { put: (key: string, value: unknown) => void }
    sql: { exec: (query: string, ...values: string[]) => void }
  }
}

class Queue {
  readonly #storage: Context['storage']

  constructor({ storage }: Context) {
    this.#storage = storage
    storage.sql.exec('create table items (text text)')
  }

  add(text: string): void {
    this.#storage.sql.exec('insert into items values (?)', text)
  }

  note(key: string): void {
    this.#storage.kv.put(key, true)
  }
}

/** Calls a method of one object for each value, then checks its storage. */
const fill = async (method: keyof Queue, values: readonly string[]): Promise<void> => {
  const scheduler = createScheduler(0)
  const processes = createProcesses(scheduler)
  const host = processes.start('queues')
  const namespace = createNamespace({
    ...{ processes, process: () => host, now: scheduler.now, latency: () => 1, env: {} },
    construct: () => Queue as never,
    onError: (_, error) => {
      throw error
    },
  })
  const calls = Promise.all(values.map((value) => namespace.getByName('first')[method]?.(value)))
  await scheduler.runUntil(1_000)
  await calls
  checkStorage({ service: { listStored: namespace.listStored } }, { number: 10 } as never)
}

const names = Array.from({ length: 101 }, (_, i) => `${i}`)

test.each([
  ['rows', 'add', names],
  ['keys', 'note', names],
  ['bytes', 'add', ['x'.repeat(3_000_000)]],
] as const)('an object with too many %s breaks the invariant', async (_, method, values) => {
  await expect(fill(method, values)).rejects.toThrow('storage: first stores ')
})
