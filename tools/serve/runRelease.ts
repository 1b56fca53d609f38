import { setTimeout as sleep } from 'node:timers/promises'
import type { Reaper } from '../stack/processes/startReaper.ts'
import { lockClocks } from './lockClocks.ts'
import { log } from './log.ts'
import type { PreparedRelease } from './prepareRelease.ts'
import { type Runtime, startRuntime } from './startRuntime.ts'

const minuteMs = 60_000
/** How long requests may take after SIGTERM; longer than any timeout inside a Worker (docs/operations.md). */
const graceMs = 35_000
/** A look at whether the Workers respond; after some without a response they are started again. */
const probeMs = 10_000
const maxFailedProbes = 3
/** Starts one after the other that fail, before this process gives up. */
const maxFailures = 5

/**
 * Serves until the signal, then completes the requests that it has. A workerd that ends or hangs is started again;
 * meanwhile connections wait in the socket.
 * @param onReady when the first one accepts requests
 * @throws Error when another process has the clock of a network, or workerd fails again and again
 */
export const runRelease = async (
  options: PreparedRelease & { port: number; socket: number; reaper: Reaper; signal: AbortSignal },
  onReady: () => void,
): Promise<void> => {
  const { networks, databases, config, socket, reaper, signal } = options
  const clocks = await lockClocks(databases.urls, networks)
  let taken: string | undefined
  void clocks.lost.then((reason) => {
    taken = reason
  })
  try {
    for (let failures = 0; !signal.aborted; ) {
      const began = Date.now()
      const reason = await serveOnce({ config, socket, reaper, signal, lost: clocks.lost }, (pid) => {
        log({ message: 'serving', networks, port: options.port, pid, startMs: Date.now() - began })
        onReady()
      }).catch((error: unknown) => String(error))
      if (signal.aborted) return
      // another start would run the clock beside the process that has it
      if (taken !== undefined) throw new Error(taken)
      failures = Date.now() - began > minuteMs ? 1 : failures + 1
      log({ message: 'workerd ended', reason, failures })
      if (failures > maxFailures) throw new Error(`workerd failed ${failures} times: ${reason}`)
      if (failures > 1) await sleep(500 * 2 ** failures, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    await clocks.release()
  }
}

/** @returns why it ended; undefined after the signal */
const serveOnce = async (
  options: { config: string; socket: number; reaper: Reaper; signal: AbortSignal; lost: Promise<string> },
  onStarted: (pid: number) => void,
): Promise<string | undefined> => {
  const { signal } = options
  const runtime = await startRuntime(options)
  onStarted(runtime.pid)
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const minutes = runMinutes(runtime)
  const probes = probe(runtime)
  const reason = await Promise.race([runtime.ended, probes.hung, options.lost, stopped])
  clearInterval(minutes)
  clearInterval(probes.timer)
  if (signal.aborted) await drain(runtime)
  else await runtime.kill()
  return reason
}

/** Streams end at once and their clients reconnect, other requests are completed. */
const drain = async (runtime: Runtime): Promise<void> => {
  log({ message: 'draining' })
  await runtime.control('/drain').catch(() => undefined)
  await runtime.stop(graceMs)
}

/** Crons and queues now, because a minute may have been missed, then every minute. */
const runMinutes = (runtime: Runtime): NodeJS.Timeout => {
  const run = () =>
    void runtime.control('/minute').catch((error: unknown) => log({ message: 'crons failed', cause: String(error) }))
  run()
  return setInterval(run, minuteMs)
}

const probe = (runtime: Runtime): { timer: NodeJS.Timeout; hung: Promise<string> } => {
  const hung = Promise.withResolvers<string>()
  let failed = 0
  const timer = setInterval(async () => {
    failed = await runtime.control('/healthz', probeMs - 1_000).then(
      () => 0,
      () => failed + 1,
    )
    if (failed >= maxFailedProbes) hung.resolve(`no response for ${(maxFailedProbes * probeMs) / 1_000} s`)
  }, probeMs)
  return { timer, hung: hung.promise }
}
