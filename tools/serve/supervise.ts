import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { log } from './log.ts'

/** Messages of a release to this process. */
export type ReleaseState = 'prepared' | 'ready'

/**
 * Runs one release after the other: a process with its sources as they were when it began. SIGHUP prepares the next
 * one beside it, checks and migrations included, then stops the current one; until the next one accepts, connections
 * wait in the socket. A further SIGHUP meanwhile is remembered. A release that fails before it replaced another changes
 * nothing.
 * @param options.args of the command line
 * @param options.socket descriptor of the listening socket
 * @throws Error when a release ends that was not ready yet
 */
export const supervise = async (options: { args: readonly string[]; socket: number }): Promise<void> => {
  const start = (isUpgrade: boolean): Release => startRelease(options, isUpgrade)
  let current = start(false)
  let isStopping = false
  let upgrade: Promise<void> | undefined
  /** the sources may have changed since the running upgrade read them */
  let isOutdated = false

  const replace = async (): Promise<void> => {
    const next = start(true)
    if ((await Promise.race([next.prepared, next.ended])) !== 'prepared') {
      return log({ message: 'upgrade refused: the running release continues' })
    }
    const former = current
    current = next
    await former.stop()
    next.run()
  }
  const replaceUntilCurrent = async (): Promise<void> => {
    while (isOutdated && !isStopping) {
      isOutdated = false
      await replace()
    }
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // a second signal ends it at once
      if (isStopping) process.exit(1)
      isStopping = true
      void current.stop()
    })
  process.on('SIGHUP', () => {
    if (isStopping) return
    isOutdated = true
    if (upgrade) return log({ message: 'another upgrade follows the running one' })
    upgrade = replaceUntilCurrent().finally(() => {
      upgrade = undefined
    })
  })

  while (!isStopping) {
    const release = current
    if ((await Promise.race([release.prepared, release.ended])) === 'prepared' && !upgrade) release.run()
    await release.ended
    await upgrade
    if (isStopping || release !== current) continue
    if (!release.wasReady()) throw new Error('the service ended before it was ready')
    log({ message: 'the service ended: it is started again' })
    current = start(false)
  }
  await current.ended
}

type Release = {
  /** all checks passed, and the database is migrated */
  prepared: Promise<'prepared'>
  ended: Promise<'ended'>
  wasReady: () => boolean
  /** Lets it serve. */
  run: () => void
  /** Completes the requests that it has. */
  stop: () => Promise<void>
}

const startRelease = ({ args, socket }: { args: readonly string[]; socket: number }, isUpgrade: boolean): Release => {
  const script = join(import.meta.dirname, 'release.ts')
  const child: ChildProcess = spawn(process.execPath, [script, ...args, ...(isUpgrade ? ['--upgrade'] : [])], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', socket],
  })
  const prepared = Promise.withResolvers<'prepared'>()
  let isReady = false
  child.on('message', (state: ReleaseState) => {
    if (state === 'prepared') prepared.resolve(state)
    else isReady = true
  })
  const ended = once(child, 'exit').then(() => 'ended' as const)
  return {
    prepared: prepared.promise,
    ended,
    wasReady: () => isReady,
    run: () => {
      if (child.connected) child.send('run')
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
