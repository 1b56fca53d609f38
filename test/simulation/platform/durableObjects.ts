import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { ScheduledEvent } from '../clock/createScheduler.ts'
import type { Process, Processes } from './processes.ts'

type Constructor = new (context: unknown, env: Record<string, unknown>) => object
type Instance = Record<string, (...args: unknown[]) => unknown>

type ObjectRecord = {
  name: string
  instance: Instance | undefined
  storage: ReturnType<typeof createStorage>
}

/** Size of an object's storage. */
export type StoredObject = { name: string; keys: number; rows: number; bytes: number }

export type NamespaceTerms = {
  processes: Processes
  /** host of the objects; another one after its death, the dead one in an outage */
  process: () => Process
  construct: () => Constructor
  env: Record<string, unknown>
  /** virtual milliseconds of a message */
  latency: () => number
  now: () => number
  onError: (where: string, error: unknown) => void
}

/** Delay of an alarm whose handler failed or died, or whose process is dead. */
const alarmRetryMs = 2_000

/**
 * A namespace of Durable Objects: one instance per name, calls in their own events, storage and alarms that survive the
 * death of the process.
 */
export const createNamespace = (terms: NamespaceTerms) => {
  const { processes } = terms
  const records = new Map<string, ObjectRecord>()

  const findRecord = (name: string): ObjectRecord => {
    const known = records.get(name)
    if (known) return known
    const record: ObjectRecord = {
      name,
      instance: undefined,
      storage: createStorage(terms, () => fireAlarm(record)),
    }
    records.set(name, record)
    return record
  }

  const findInstance = (record: ObjectRecord): Instance => {
    if (record.instance) return record.instance
    const context = {
      storage: record.storage,
      waitUntil: (work: Promise<unknown>) =>
        void work.catch((error) => terms.onError(`${record.name} background`, error)),
      getWebSockets: () => [],
    }
    record.instance = new (terms.construct())(context, terms.env) as Instance
    return record.instance
  }

  /** At least once: an alarm whose handler died or failed is set again, unless it has set another. */
  const fireAlarm = (record: ObjectRecord): void => {
    const process = terms.process()
    record.storage.take()
    const end = (retries: boolean) => {
      process.onDeath.delete(die)
      record.storage.resume(retries ? terms.now() + alarmRetryMs : undefined)
    }
    const die = () => end(true)
    if (!process.isAlive) {
      die()
      return
    }
    process.onDeath.add(die)
    void processes.run(process, async () => {
      try {
        await findInstance(record).alarm?.()
        end(false)
      } catch (error) {
        terms.onError(`${record.name} alarm`, error)
        end(true)
      }
    })
  }

  const call = (record: ObjectRecord, method: string, args: unknown[]): Promise<unknown> => {
    const caller = processes.current()
    const process = terms.process()
    return new Promise((resolve, reject) => {
      let isOver = false
      const reply = (work: () => void) => {
        if (isOver) return
        isOver = true
        process.onDeath.delete(lose)
        processes.later(caller, terms.latency(), work)
      }
      const lose = () => reply(() => reject(new Error('the Durable Object was reset')))
      if (!process.isAlive) return lose()
      process.onDeath.add(lose)
      processes.later(process, terms.latency(), async () => {
        try {
          const result = await findInstance(record)[method]?.(...args.map(copy))
          reply(() => resolve(copy(result)))
        } catch (error) {
          reply(() => reject(error))
        }
      })
    })
  }

  return {
    getByName: (name: string) => {
      const record = findRecord(name)
      return new Proxy({} as Record<string, (...args: unknown[]) => Promise<unknown>>, {
        get: (_, method) =>
          typeof method === 'string' && method !== 'then'
            ? (...args: unknown[]) => call(record, method, args)
            : undefined,
      })
    },
    /** Storage of each object. */
    listStored: (): StoredObject[] =>
      [...records.values()].map(({ name, storage }) => ({ name, ...storage.measure() })),
    /** Forgets the instances of a process that died. */
    forget: (): void => {
      for (const record of records.values()) record.instance = undefined
    },
  }
}

export type ObjectNamespace = ReturnType<typeof createNamespace>

/** Requests and responses have streams and pass as they are; all else is copied, as between isolates. */
const copy = <T>(value: T): T =>
  value instanceof Request || value instanceof Response ? value : structuredClone(value)

/** The platform may run alarms late. Here later ones wait for the next even second, which saves half of the clock's ticks. */
const toGrid = (at: number): number => Math.ceil(at / 2_000) * 2_000

const listTables = `select name from sqlite_schema where type = 'table'`
const countBytes = `select (page_count - freelist_count) * page_size as bytes
  from pragma_page_count, pragma_freelist_count, pragma_page_size`

const createStorage = (
  { processes, now, latency }: Pick<NamespaceTerms, 'processes' | 'now' | 'latency'>,
  fire: () => void,
) => {
  const database = new DatabaseSync(':memory:')
  const statements = new Map<string, StatementSync>()
  const pairs = new Map<string, unknown>()
  let alarmAt: number | null = null
  let timer: ScheduledEvent | undefined
  let isBlocked = false

  const schedule = (at: number | null): void => {
    timer?.cancel()
    timer = undefined
    alarmAt = at
    if (at !== null && !isBlocked) timer = processes.later(undefined, at - now(), fire)
  }
  const soon = async () =>
    new Promise<void>((resolve) => {
      processes.later(processes.current(), latency() / 10, resolve)
    })

  return {
    sql: {
      exec: (query: string, ...values: (string | number | null)[]) => {
        const statement = statements.get(query) ?? database.prepare(query)
        statements.set(query, statement)
        const rows = statement.all(...values)
        return { toArray: () => rows }
      },
    },
    kv: {
      get: (key: string) => pairs.get(key),
      put: (key: string, value: unknown) => void pairs.set(key, structuredClone(value)),
      delete: (key: string) => pairs.delete(key),
      list: () => [...pairs],
    },
    getAlarm: async () => {
      await soon()
      return alarmAt
    },
    setAlarm: async (at: number) => {
      schedule(at > now() ? toGrid(at) : at)
      await soon()
    },
    deleteAlarm: async () => {
      schedule(null)
      await soon()
    },
    /** Keys, rows and bytes of tables; values of keys are small. */
    measure: () => {
      const tables = statements.size === 0 ? [] : database.prepare(listTables).all()
      const rows = tables.map(({ name }) => database.prepare(`select count(*) as count from "${name}"`).get()?.count)
      const bytes = statements.size === 0 ? 0 : database.prepare(countBytes).get()?.bytes
      return {
        keys: pairs.size,
        rows: rows.reduce<number>((sum, count) => sum + Number(count), 0),
        bytes: Number(bytes),
      }
    },
    /** The alarm is taken: another one that is set meanwhile waits for the end of its handler. */
    take: () => {
      timer = undefined
      alarmAt = null
      isBlocked = true
    },
    /** @param retryAt time of the same alarm again, if no other is set */
    resume: (retryAt: number | undefined) => {
      isBlocked = false
      schedule(alarmAt ?? retryAt ?? null)
    },
  }
}
