import { registerHooks } from 'node:module'
import { openSql } from '../solvers/solverMarket.ts'

// The classes of Durable Objects import the platform's module: a test imports them dynamically, after this file.
const platform = new URL('../../simulation/platform/cloudflareWorkers.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloudflare:workers' ? { url: platform, shortCircuit: true } : next(specifier, context),
})

type DurableObject = { alarm?: () => Promise<void> }

/**
 * A namespace of Durable Objects in this process, with storage in memory. Alarms wait until the test runs them, and can be
 * lost as the platform loses them: storage still has their time, and nothing runs them.
 */
export const openObjects = <Instance extends DurableObject>(
  Class: new (context: never, env: never) => Instance,
  env: object,
) => {
  const objects = new Map<string, ReturnType<typeof openObject<Instance>>>()
  return {
    getByName: (name: string): Instance => {
      const known = objects.get(name) ?? openObject(Class, env)
      objects.set(name, known)
      return known.instance
    },
    /** Runs the alarms that are due, with the work that they start. @returns their number */
    runAlarms: async (): Promise<number> => {
      const ran = await Promise.all([...objects.values()].map(({ runAlarm }) => runAlarm()))
      return ran.filter(Boolean).length
    },
    loseAlarms: (): void => {
      for (const { loseAlarm } of objects.values()) loseAlarm()
    },
  }
}

const openObject = <Instance extends DurableObject>(
  Class: new (context: never, env: never) => Instance,
  env: object,
) => {
  const stored = new Map<string, unknown>()
  let alarm: number | null = null
  let isLost = false
  const background: Promise<unknown>[] = []
  const setAlarm = (at: number | null) => {
    alarm = at
    isLost = false
  }
  const storage = {
    sql: openSql(),
    kv: { get: (key: string) => stored.get(key), put: (key: string, value: unknown) => void stored.set(key, value) },
    get: async (key: string) => stored.get(key),
    put: async (key: string, value: unknown) => void stored.set(key, value),
    getAlarm: async () => alarm,
    setAlarm: async (at: number) => setAlarm(at),
    deleteAlarm: async () => setAlarm(null),
  }
  const waitUntil = (work: Promise<unknown>) => void background.push(work)
  const instance = new Class({ storage, waitUntil, getWebSockets: () => [] } as never, env as never)
  return {
    instance,
    runAlarm: async (): Promise<boolean> => {
      if (alarm === null || isLost || alarm > Date.now()) return false
      setAlarm(null)
      await instance.alarm?.()
      while (background.length > 0) await Promise.all(background.splice(0))
      return true
    },
    loseAlarm: () => {
      isLost = true
    },
  }
}
