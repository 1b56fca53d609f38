import nodeCrypto from 'node:crypto'
import type { Scheduler } from '../clock/createScheduler.ts'
import { createPlainRequest } from './plainMessages.ts'
import type { Processes } from './processes.ts'

/** Inputs of the platform from a run. */
export type PlatformTerms = {
  scheduler: Scheduler
  processes: Processes
  /** from 0 to 1 */
  random: () => number
  /** the same for bytes of secrets and of the database, of which each cluster takes a different number */
  randomBytes: () => number
  /** responds to a request to a host */
  route: (request: Request) => Promise<Response>
  log: (line: string) => void
}

let current: PlatformTerms | undefined

const findTerms = (): PlatformTerms => {
  if (!current) throw new Error('no run has the platform')
  return current
}

const RealDate = Date

class VirtualDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(findTerms().scheduler.now())
    else super(...(args as [number]))
  }

  static override now(): number {
    return findTerms().scheduler.now()
  }
}

const toRequest = (input: Request | string | URL, init: RequestInit = {}): Request => {
  const { body } = init
  return typeof input === 'string' && typeof body === 'string'
    ? createPlainRequest(input, { ...init, body })
    : new Request(input, init)
}

type Timer = { cancel: () => void; unref: () => Timer; ref: () => Timer }

const toTimer = (cancel: () => void): Timer => {
  const timer: Timer = { cancel, unref: () => timer, ref: () => timer }
  return timer
}

const startTimer = (work: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]): Timer => {
  const { processes } = findTerms()
  return toTimer(processes.later(processes.current(), milliseconds, () => work(...args)).cancel)
}

const startInterval = (work: () => void, milliseconds: number): Timer => {
  const tick = () => {
    timer = startTimer(tick, milliseconds)
    work()
  }
  let timer = startTimer(tick, milliseconds)
  return toTimer(() => timer.cancel())
}

const stopRealTimer = clearTimeout

/** The database may have started a timer before the run. */
const stopTimer = (timer: Timer | NodeJS.Timeout | undefined): void => {
  if (timer && 'cancel' in timer) timer.cancel()
  else stopRealTimer(timer)
}

const fillRandomly = <T extends ArrayBufferView>(view: T): T => {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Math.floor(findTerms().randomBytes() * 256)
  return view
}

const hex = (length: number): string =>
  Array.from({ length }, () => Math.floor(findTerms().random() * 16).toString(16)).join('')

/** `crypto.subtle.digest` within the event that calls it: threads would end in an order of their own. */
const computeDigest = async (
  algorithm: string | { name: string },
  data: ArrayBufferView | ArrayBuffer,
): Promise<ArrayBuffer> => {
  const name = typeof algorithm === 'string' ? algorithm : algorithm.name
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
  return new Uint8Array(nodeCrypto.createHash(name.replace('-', '').toLowerCase()).update(bytes).digest()).buffer
}

/** Other functions of web cryptography compute in threads: virtual time waits for them. */
const holdWebCrypto = (): void => {
  const { subtle } = crypto
  const held = new Proxy(subtle, {
    get: (target, name) => {
      if (name === 'digest') return computeDigest
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: unknown[]) => findTerms().scheduler.hold(Promise.resolve(Reflect.apply(method, target, args)))
    },
  })
  Object.defineProperty(crypto, 'subtle', { value: held })
}

/** Created once: most time limits end unnoticed, long after what they limited. */
const timeoutReason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')

/**
 * Gives a run the platform of this JavaScript process: time, timers, randomness, `fetch` and the console. The database is
 * in the same process and follows, because it reads its time from `Date`.
 */
export const installPlatform = (terms: PlatformTerms): void => {
  const isInstalled = current !== undefined
  current = terms
  if (isInstalled) return
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: startTimer,
    clearTimeout: stopTimer,
    setInterval: startInterval,
    clearInterval: stopTimer,
    fetch: (input: Request | string | URL, init?: RequestInit) => findTerms().route(toRequest(input, init)),
  })
  Math.random = () => findTerms().random()
  performance.now = () => findTerms().scheduler.now()
  crypto.randomUUID = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
  crypto.getRandomValues = fillRandomly as typeof crypto.getRandomValues
  // the database's own source: identifiers of rows are those of the seed
  Object.assign(nodeCrypto, { randomFillSync: fillRandomly })
  holdWebCrypto()
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController()
    startTimer(() => controller.abort(timeoutReason), milliseconds)
    return controller.signal
  }
  for (const level of ['log', 'warn', 'error', 'info'] as const)
    console[level] = (...parts: unknown[]) => findTerms().log(parts.map(String).join(' '))
}
