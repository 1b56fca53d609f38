import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, type StackOptions, startStack } from '#tools/stack/startStack.ts'
import { inspectAnswers } from './inspectAnswers.ts'

/**
 * A whole stack of its own: any free ports, a temporary folder that goes with it. Every answer at its base URL is held
 * against `/openapi.json`; `stop` throws when one deviated.
 */
export const startTestStack = async (options: Partial<StackOptions> = {}): Promise<Stack> => {
  const stack = await startBareTestStack(options)
  const inspector = await inspectAnswers(stack.info.baseUrl)
  return {
    ...stack,
    info: { ...stack.info, baseUrl: inspector.baseUrl },
    infos: stack.infos.map((info) => ({ ...info, baseUrl: inspector.baseUrl })),
    stop: async () => {
      await stack.stop()
      await inspector.close()
    },
  }
}

/** The same without anything between a test and the gateway. */
export const startBareTestStack = async (options: Partial<StackOptions> = {}): Promise<Stack> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-'))
  // Tests read what they have just written; edge.test.ts is about what is kept.
  // One account places the orders of most tests, without quotes; those about bounds set their own.
  const unbounded = { MAX_LIMIT_ORDERS_PER_USER: '100000', MAX_OPEN_ORDERS_PER_USER: '100000' }
  const vars = {
    ...options.vars,
    gateway: { CACHE: 'off', ...options.vars?.gateway },
    orders: { ...unbounded, ...options.vars?.orders },
  }
  const stack = await startStack({ dir, port: 0, rpcPort: 0, dbPort: 0, bundled: true, ...options, vars })
  return {
    ...stack,
    stop: async () => {
      await stack.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
