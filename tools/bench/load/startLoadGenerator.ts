import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchOrderTerms } from './createOrderSigner.ts'

export type LoadRequest = { method: 'GET' | 'POST'; path: string; body?: string; headers?: Record<string, string> }

export type LoadPlan = {
  url: string
  connections: number
  seconds: number
  /** requests a second of all connections together; unlimited when omitted */
  rate?: number
  /** sent in turns, repeatedly; or newly signed orders, each once */
  requests: LoadRequest[] | { orders: BenchOrderTerms; path: string }
}

export type LoadResult = {
  /** all sent requests: a few more than had a response in time */
  sent: number
  requestsPerSecond: number
  /** milliseconds */
  p50: number
  p99: number
  /** responses by status */
  statuses: Record<string, number>
  /** connections that failed or timed out */
  errors: number
}

export type LoadGenerator = {
  run: (plan: LoadPlan) => Promise<LoadResult>
  stop: () => void
}

/** A process that only sends requests, so that this takes no CPU from the process with the database. */
export const startLoadGenerator = (): LoadGenerator => {
  const child = fork(join(import.meta.dirname, 'loadProcess.ts'))
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the load generator exited with code ${code}`)),
  )
  ended.catch(() => undefined)
  let last = 0
  return {
    run: (plan) => {
      last += 1
      return Promise.race([requestLoad(child, { id: last, plan }), ended])
    },
    stop: () => child.kill(),
  }
}

export type LoadMessage = { id: number; plan: LoadPlan }
export type LoadAnswer = { id: number; result?: LoadResult; failure?: string }

const requestLoad = (child: ChildProcess, message: LoadMessage): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const listen = (answer: LoadAnswer): void => {
      if (answer.id !== message.id) return
      child.off('message', listen)
      if (answer.result) resolve(answer.result)
      else reject(new Error(answer.failure))
    }
    child.on('message', listen)
    child.send(message)
  })
